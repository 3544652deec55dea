import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { cardBrand, cents, emailAddress, instant, lastFour, lessonTitle, personName } from '../fields.ts';

export const disputeId = z
  .string()
  .regex(/^\w{1,255}$/, "This dispute doesn't exist.")
  .meta({ description: "Stripe's id of the dispute.", examples: ['du_1PxYz'] });

const disputeHead = {
  disputeId,
  status: z.string().meta({ description: "Stripe's status.", examples: ['needs_response'] }),
  reason: z
    .string()
    .nullable()
    .meta({ description: "Stripe's reason.", examples: ['fraudulent'] }),
  amountCents: cents.describe('The disputed amount, in minor units (pence).'),
  openedAt: instant,
  evidenceDueBy: instant.nullable().describe('The last moment for sending evidence; null if there is none.'),
  evidenceState: z
    .enum(['none', 'sending', 'sent', 'refused'])
    .describe(
      "`sending`: an admin has sent the evidence, and Stripe hasn't confirmed it yet. `refused`: Stripe refused the evidence.",
    ),
  customerName: personName,
  titles: z.array(lessonTitle).describe('The lessons that the disputed payment was for.'),
  borneBy: z
    .enum(['coach', 'platform'])
    .nullable()
    .describe('Who bears a lost dispute, once its loss is recorded.'),
  lossRecordedAt: instant.nullable().describe('When its loss was recorded; null if none was.'),
};

const disputeSummary = z
  .object(disputeHead)
  .meta({ id: 'DisputeSummary', description: 'A disputed payment in a list.' });
export type DisputeSummary = z.output<typeof disputeSummary>;

const evidence = z
  .object({
    customerName: personName,
    customerEmail: emailAddress,
    productDescription: z.string().meta({
      description: 'Each lesson of the payment on a separate line.',
      examples: ['Sports lesson “Tennis for beginners” with Alex Morgan, £45.00, booking 3f2a91c0.'],
    }),
    serviceDate: z.string().meta({ description: 'The dates of the lessons.', examples: ['Sun 28 Mar 2027'] }),
    cancellationPolicy: z.string().meta({
      description: 'The terms that the customer accepted when booking, and when the customer accepted them.',
      examples: ['A booking can be cancelled for a full refund until 24 hours before the lesson.'],
    }),
    history: z.string().meta({
      description: 'What our records say: booking, emails, changes, attendance and refunds.',
      examples: ['Attendance of booking 3f2a91c0: Completed.'],
    }),
    statement: z.string().meta({
      description: "The admin's own words; empty if there are none.",
      examples: ['She came to the lesson.'],
    }),
  })
  .meta({ id: 'DisputeEvidence', description: 'The evidence against a dispute, as the bank gets it.' });
export type DisputeEvidence = z.output<typeof evidence>;

const disputedBooking = z
  .object({
    bookingId: z.uuid(),
    title: lessonTitle,
    startTime: instant,
    coachName: personName,
    state: z.string().meta({ examples: ['Completed'] }),
    paidCents: cents.describe('What this payment charged for the booking.'),
    leftCents: cents.describe('What remains of that amount after refunds.'),
    payout: z
      .enum(['none', 'pending', 'paid'])
      .describe('Whether a payrun includes the booking, and whether that payrun is paid.'),
  })
  .meta({ id: 'DisputedBooking', description: 'A booking that a disputed payment paid for.' });
export type DisputedBooking = z.output<typeof disputedBooking>;

const dispute = z
  .object({
    ...disputeHead,
    paymentCents: cents.describe('The whole amount of the disputed payment, in minor units (pence).'),
    stripeFeeCents: cents.describe("Stripe's fee for the dispute, which the platform bears."),
    card: z.object({ brand: cardBrand, lastFour }).nullable(),
    evidenceAskedAt: instant.nullable().describe('When an admin sent the evidence.'),
    evidenceSentAt: instant.nullable().describe('When Stripe confirmed the evidence.'),
    evidenceBy: personName.nullable().describe('The admin who sent the evidence.'),
    evidenceRefusal: z
      .string()
      .nullable()
      .meta({
        description: "Stripe's reason for refusing the evidence.",
        examples: ['This dispute is already closed.'],
      }),
    lossCents: cents.nullable().describe('The recorded loss, in minor units (pence).'),
    lossRecordedBy: personName.nullable().describe('The admin who recorded the loss.'),
    bookings: z.array(disputedBooking),
    evidence: evidence
      .nullable()
      .describe('The evidence that was sent, or would be sent now; null once erased.'),
  })
  .meta({ id: 'Dispute', description: 'A disputed payment with the evidence from our records.' });
export type Dispute = z.output<typeof dispute>;

/** Endpoints for payments that customers dispute with their banks. */
export const disputesApi = {
  listDisputes: endpoint({
    method: 'GET',
    path: '/api/admin/disputes',
    operationId: 'list_disputes',
    gate: 'admin',
    summary: 'List disputes',
    description:
      "Disputed payments, at most 100. Open disputes, and lost ones whose loss isn't recorded yet, are in order of the time by which evidence is due. Finished disputes are in order of their last change, latest first.",
    input: z.object({
      view: z
        .enum(['open', 'done'])
        .default('open')
        .describe('`open`: waiting for evidence, the bank or an admin. `done`: nothing is left to do.'),
    }),
    output: z.object({ disputes: z.array(disputeSummary) }),
  }),
  getDispute: endpoint({
    method: 'GET',
    path: '/api/admin/disputes/:disputeId',
    operationId: 'get_dispute',
    gate: 'admin',
    summary: 'Get a dispute',
    description: 'A disputed payment with its bookings and the evidence from our records.',
    input: z.object({ disputeId }),
    output: z.object({ dispute }),
  }),
  sendEvidence: endpoint({
    method: 'POST',
    path: '/api/admin/disputes/:disputeId/evidence',
    operationId: 'send_dispute_evidence',
    gate: 'admin',
    summary: 'Send the evidence',
    description:
      'Sends the evidence from our records to the bank through Stripe. It can be sent again only if Stripe refuses it.',
    refusals: ['conflict'],
    // Not needed, because no money moves and the records go only to Stripe, which already has the payment.
    reauthenticate: false,
    input: z.object({
      disputeId,
      statement: z
        .string()
        .trim()
        .max(5000, "The statement can't be longer than 5,000 characters.")
        .default('')
        .meta({ description: "The admin's own words.", examples: ['She came to the lesson.'] }),
    }),
    output: z.object({ dispute }),
  }),
  recordLoss: endpoint({
    method: 'POST',
    path: '/api/admin/disputes/:disputeId/loss',
    operationId: 'record_dispute_loss',
    gate: 'admin',
    summary: 'Record the loss of a dispute',
    description:
      "Records the money that a lost dispute took, as a refund of its bookings. Either the platform bears the loss, or the coaches of these bookings do and are emailed. Bookings that the loss doesn't affect can be paid out again.",
    refusals: ['conflict'],
    reauthenticate: true,
    input: z.object({
      disputeId,
      borneBy: z.enum(['coach', 'platform'], 'Choose who bears the loss.'),
      lines: z
        .array(z.object({ bookingId: z.uuid(), cents: z.number().int().min(0) }))
        .max(6)
        .optional()
        .describe(
          "Each booking's part of the loss, in minor units (pence). Required if several bookings have money left and the loss is less than their total.",
        ),
    }),
    output: z.object({ dispute }),
  }),
};
