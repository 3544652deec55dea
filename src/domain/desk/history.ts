import { z } from 'zod';
import { refundStatuses } from '../bookings/rules.ts';
import { cardBrand, cents, instant, lastFour, personName } from '../fields.ts';
import { channelNames, kindNames } from '../notifications/kinds.ts';

/** Who bears a refund: the coach, less the fee that is returned with it, or the platform alone. */
export const bearers = ['coach', 'platform'] as const;
export const bearer = z.enum(bearers).meta({
  id: 'Bearer',
  description:
    'Who bears a refund. `coach`: the coach, except for the fee that is returned with it. `platform`: the platform alone.',
});
export type Bearer = z.output<typeof bearer>;

export const refundReasons = [
  'customer_cancelled',
  'coach_cancelled',
  'seat_lost',
  'paid_after_release',
  'admin',
  'made_at_stripe',
  'dispute',
] as const;

export const requestStatuses = ['waiting', 'made', 'declined'] as const;

/** Delivery channels with their results; `inApp` always succeeds. */
const delivery = z
  .object({
    channel: z.enum(channelNames),
    status: z.enum(['queued', 'sent', 'skipped', 'failed', 'bounced']),
  })
  .meta({ id: 'Delivery', description: 'How a notification was delivered through one channel.' });

const at = instant;
const who = personName.nullable().describe('The person who acted; null if it was the system.');
const why = z
  .string()
  .meta({ examples: ['Goodwill after a short lesson'] })
  .nullable();
const payrunReference = z.string().meta({ examples: ['PAYRUN-0199c1de'] });

/**
 * The kinds of event in a booking's history. Every kind has its own line in src/web/desk/history-lines.ts, and its own
 * query in src/server/desk/read-history.ts.
 */
export const historyEntry = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('held'), at, until: instant.describe('When the hold ends.') }),
    z.object({ kind: z.literal('released'), at, message: why }),
    z.object({
      kind: z.literal('charged'),
      at,
      amountCents: cents,
      card: z.object({ brand: cardBrand, lastFour }).nullable(),
    }),
    z.object({
      kind: z.literal('refundRequest'),
      at,
      refundRequestId: z.uuid(),
      amountCents: cents,
      borneBy: bearer,
      reason: z.string().meta({ examples: ['Goodwill after a short lesson'] }),
      status: z.enum(requestStatuses),
      who: personName,
      decidedBy: personName.nullable(),
      decidedAt: instant.nullable(),
    }),
    z.object({
      kind: z.literal('refund'),
      at,
      refundId: z.uuid(),
      amountCents: cents,
      coachCents: cents.describe('The part that the coach bears.'),
      reason: z.enum(refundReasons),
      status: z.enum(refundStatuses),
      message: why.describe("Stripe's reason for a failure, or how an admin settled the refund."),
    }),
    z.object({
      kind: z.literal('externalRefund'),
      at,
      stripeRefundId: z.string().meta({ examples: ['re_123'] }),
      amountCents: cents,
      coversCents: cents.describe(
        'The part that belongs to refunds of our own or that an admin has entered.',
      ),
      isAlive: z.boolean().describe('False if the refund failed or was cancelled in Stripe.'),
    }),
    z.object({
      kind: z.literal('dispute'),
      at,
      disputeId: z.string().meta({ examples: ['dp_123'] }),
      amountCents: cents,
      status: z.string().meta({ examples: ['needs_response'] }),
    }),
    z.object({
      kind: z.literal('payrun'),
      at,
      payrunId: z.uuid(),
      paymentReference: payrunReference,
      amountCents: cents.describe('Negative for a deduction.'),
      status: z
        .enum(['pending', 'paid', 'cancelled', 'returned'])
        .describe("The payrun's status; `returned` if the bank returned this coach's payment."),
    }),
    z.object({
      kind: z.literal('notification'),
      at,
      notificationKind: z.enum(kindNames),
      title: z.string().meta({ examples: ['Booked: Tennis for beginners, Sat 21 Nov, 09:00–10:00'] }),
      recipient: z.enum(['customer', 'coach', 'guardian']),
      recipientName: personName,
      deliveries: z.array(delivery),
    }),
    z.object({
      kind: z.literal('event'),
      at,
      action: z.string().meta({ examples: ['booking.cancelled'] }),
      who,
      system: z
        .string()
        .meta({ examples: ['Stripe'] })
        .nullable(),
      reason: why,
      attended: z.boolean().nullable().describe('The mark that `attendance.marked` set.'),
      from: instant.nullable().describe('The start before a move.'),
      to: instant.nullable().describe('The start after a move.'),
    }),
  ])
  .meta({
    id: 'HistoryEntry',
    description: 'One event in the history of a booking. Amounts in minor units (pence).',
  });
export type HistoryEntry = z.output<typeof historyEntry>;
