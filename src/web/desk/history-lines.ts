import { describeCard } from '#domain/card-labels.ts';
import type { HistoryEntry } from '#domain/desk/history.ts';
import { formatPounds } from '#domain/money.ts';
import { channels } from '#domain/notifications/kinds.ts';
import { formatDay, formatTime } from '#domain/time.ts';
import { bearerLabels } from './desk-labels.ts';

/** A line of a booking's history: what happened, who did it, and details. */
export type HistoryLine = {
  title: string;
  who?: string | null | undefined;
  details?: (string | null | undefined | false)[];
  /** The payrun or dispute that the line links to. */
  payrunId?: string;
  disputeId?: string;
  tone?: 'success' | 'warning' | 'destructive';
};

const quote = (text: string | null) => text && `“${text}”`;
const when = (instant: string) => `${formatDay(instant, Date.now())}, ${formatTime(instant)}`;

const refundReasons = {
  customer_cancelled: 'The customer cancelled',
  coach_cancelled: 'The coach cancelled',
  seat_lost: 'The place was no longer available',
  paid_after_release: 'The payment arrived too late',
  admin: 'Refunded by an admin',
  made_at_stripe: 'Made in Stripe',
  dispute: 'Taken by the bank after a dispute',
} as const;

const refundStates = {
  pending: { text: 'on its way', tone: undefined },
  succeeded: { text: 'refunded', tone: 'success' },
  failed: { text: 'failed', tone: 'destructive' },
  settled: { text: 'paid another way', tone: 'success' },
} as const;

const requestStates = { waiting: 'needs a second admin', made: 'made', declined: 'declined' } as const;
const payrunStates = {
  pending: 'in a pending payrun',
  paid: 'paid out',
  cancelled: 'in a cancelled payrun',
  returned: 'returned by the bank',
};
const recipients = { customer: 'customer', coach: 'coach', guardian: 'guardian' };

const deliveryStates = {
  queued: 'waiting',
  sent: 'sent',
  skipped: 'not sent',
  failed: 'failed',
  bounced: 'bounced',
} as const;

/** How the history describes audited actions. Any other action is named by its code. */
const actions: Record<string, string> = {
  'booking.cancelled': 'Cancelled',
  'booking.moved': 'Moved to another date',
  'booking.rebooked': 'Booked again',
  'slot.moved': 'The coach moved the lesson',
  'slot.edited': 'The coach edited the lesson',
  'slot.cancelled': 'The coach cancelled the lesson',
  'slot.completed': 'The lesson was completed',
  'refund.retried': 'Refund sent again',
  'refund.settled': 'Refund settled another way',
  'refund.entered': 'Refund made in Stripe was entered',
  'refund.failed': 'Refund failed',
};

const lines: {
  [K in HistoryEntry['kind']]: (entry: Extract<HistoryEntry, { kind: K }>) => HistoryLine;
} = {
  held: ({ until }) => ({ title: 'Place held', details: [`Until ${when(until)} at the latest`] }),
  released: ({ message }) => ({ title: 'Place released', details: [message] }),
  charged: ({ amountCents, card }) => ({
    title: amountCents > 0 ? `${formatPounds(amountCents)} charged` : 'Booked free of charge',
    details: [card && describeCard(card)],
    tone: 'success',
  }),
  refundRequest: ({ amountCents, status, who, borneBy, reason, decidedBy, decidedAt }) => ({
    title: `Refund of ${formatPounds(amountCents)} ${requestStates[status]}`,
    who,
    details: [
      quote(reason),
      `Borne by ${bearerLabels[borneBy].toLowerCase()}`,
      decidedBy &&
        decidedAt &&
        `${status === 'made' ? 'Approved' : 'Declined'} by ${decidedBy}, ${when(decidedAt)}`,
    ],
    ...(status === 'waiting' && { tone: 'warning' as const }),
  }),
  refund: ({ amountCents, coachCents, reason, status, message }) => {
    const { text, tone } = refundStates[status];
    return {
      title: `${formatPounds(amountCents)} ${text}`,
      details: [
        refundReasons[reason],
        coachCents > 0 ? `${formatPounds(coachCents)} borne by the coach` : 'Borne by the platform',
        message,
      ],
      ...(tone && { tone }),
    };
  },
  externalRefund: ({ amountCents, coversCents, stripeRefundId, isAlive }) => ({
    title: `${formatPounds(amountCents)} refunded in Stripe`,
    details: [
      stripeRefundId,
      !isAlive ? 'It failed or was cancelled' : coversCents < amountCents && 'Not entered yet',
    ],
    ...(isAlive && coversCents < amountCents && { tone: 'warning' as const }),
  }),
  dispute: ({ amountCents, status, disputeId }) => ({
    disputeId,
    title: `${formatPounds(amountCents)} disputed by the customer`,
    details: [disputeId, `Status: ${status.replaceAll('_', ' ')}`],
    tone: status === 'won' || status === 'warning_closed' ? 'success' : 'destructive',
  }),
  payrun: ({ amountCents, status, paymentReference, payrunId }) => ({
    payrunId,
    title:
      amountCents > 0
        ? `${formatPounds(amountCents)} ${payrunStates[status]}`
        : `${formatPounds(-amountCents)} deducted, ${payrunStates[status]}`,
    details: [`Reference ${paymentReference}`],
    ...(status === 'paid' && { tone: 'success' as const }),
    ...(status === 'returned' && { tone: 'warning' as const }),
  }),
  notification: ({ title, recipient, recipientName, deliveries }) => ({
    title,
    details: [
      `Notification to the ${recipients[recipient]}, ${recipientName}`,
      deliveries
        .map(({ channel, status }) => `${channels[channel].label}: ${deliveryStates[status]}`)
        .join(', '),
    ],
    ...(deliveries.some(({ status }) => status === 'failed' || status === 'bounced') && {
      tone: 'destructive' as const,
    }),
  }),
  event: ({ action, who, system, reason, attended, from, to }) => ({
    title:
      action === 'attendance.marked'
        ? attended === null
          ? 'Attendance mark removed'
          : attended
            ? 'Marked as attended'
            : 'Marked as absent'
        : (actions[action] ?? nameAction(action)),
    who: who ?? system,
    details: [from && to && `From ${when(from)} to ${when(to)}`, quote(reason)],
  }),
};

/** "slot.completed" → "Slot completed". */
function nameAction(action: string): string {
  const words = action.replace(/[._-]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Describes an entry of a booking's history. */
export const describeEntry = (entry: HistoryEntry): HistoryLine =>
  (lines[entry.kind] as (entry: HistoryEntry) => HistoryLine)(entry);
