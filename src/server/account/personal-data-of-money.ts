import { sql } from 'kysely';
import type { Register } from './personal-data-entry.ts';

type MoneyTable =
  | 'coachBankDetails'
  | 'payments'
  | 'paymentLines'
  | 'refunds'
  | 'refundLines'
  | 'refundRequests'
  | 'externalRefunds'
  | 'disputes'
  | 'ledgerEntries'
  | 'payruns'
  | 'payrunRecipients'
  | 'payrunItems'
  | 'payrunReturns';

// A company keeps records for 6 years from the end of the accounting period (Finance Act 1998, schedule 18, paragraph
// 21). Sole traders and partnerships keep theirs until 5 years after the 31 January that follows the tax year (Taxes
// Management Act 1970, section 12B), which is sooner.
export const accountingRecords = { text: 'As long as we keep accounting records: at least 6 years.' };
const keptForAccounting = { text: 'Kept without a name, for our accounting and tax records.' };

const ownPayments = (userId: string) =>
  sql<boolean>`payment_id in (select payment_id from payments where customer_user_id = ${userId}::uuid)`;

/** The register's entries for payments and payouts. */
export const moneyTables: Register<MoneyTable> = {
  coachBankDetails: {
    purpose: 'The bank account that a coach is paid into; its numbers are encrypted.',
    rowsOf: ({ userId }) => sql`coach_id = ${userId}::uuid`,
    erasure: { text: 'Deleted.', deletes: true },
    retention: { text: 'Until the account is deleted.' },
    columns: {
      coachId: 'exported',
      accountName: 'exported',
      accountNumberEncrypted: 'masked',
      sortCodeEncrypted: 'masked',
      recipientType: 'exported',
      bankCountry: 'exported',
      currency: 'exported',
      createdAt: 'exported',
      updatedAt: 'exported',
    },
  },
  payments: {
    purpose: 'What a customer paid, with which card (last four digits only), and why a payment failed.',
    rowsOf: ({ userId }) => sql`customer_user_id = ${userId}::uuid`,
    erasure: keptForAccounting,
    retention: accountingRecords,
    columns: {
      paymentId: 'exported',
      customerUserId: 'exported',
      amountCents: 'exported',
      currency: 'exported',
      status: 'exported',
      stripeCustomerId: 'exported',
      stripePaymentMethodId: 'exported',
      stripePaymentIntentId: 'exported',
      cardBrand: 'exported',
      cardLastFour: 'exported',
      holdNumber: 'exported',
      failureCode: 'exported',
      failureMessage: 'exported',
      checkAt: 'exported',
      createdAt: 'exported',
      updatedAt: 'exported',
    },
  },
  paymentLines: {
    purpose: 'The bookings that a payment was for, and the amount of each.',
    rowsOf: ({ userId }) => ownPayments(userId),
    erasure: keptForAccounting,
    retention: accountingRecords,
    columns: {
      paymentId: 'exported',
      lineNo: 'exported',
      bookingId: 'exported',
      amountCents: 'exported',
    },
  },
  refunds: {
    purpose: 'What a customer got back, and why.',
    rowsOf: ({ userId }) => ownPayments(userId),
    erasure: keptForAccounting,
    retention: accountingRecords,
    columns: {
      refundId: 'exported',
      paymentId: 'exported',
      amountCents: 'exported',
      status: 'exported',
      reason: 'exported',
      borneBy: 'exported',
      refundRequestId: 'exported',
      stripeRefundId: 'exported',
      failureMessage: 'exported',
      askedCents: 'exported',
      attempts: 'exported',
      keyNumber: 'exported',
      refusals: 'exported',
      refusedAt: 'exported',
      givenUpAt: 'exported',
      settledAt: 'exported',
      settledBy: 'others',
      settledReason: 'exported',
      checkAt: 'exported',
      createdAt: 'exported',
      updatedAt: 'exported',
    },
  },
  refundLines: {
    purpose: 'The bookings that a refund was for, and how much of it the coach and the platform bore.',
    rowsOf: ({ userId }) => sql`refund_id in (select refund_id from refunds where ${ownPayments(userId)})`,
    erasure: keptForAccounting,
    retention: accountingRecords,
    columns: {
      refundId: 'exported',
      bookingId: 'exported',
      amountCents: 'exported',
      coachCents: 'exported',
      feeCents: 'exported',
    },
  },
  refundRequests: {
    purpose: 'Refunds that admins made or asked for at the bookings desk, and why.',
    rowsOf: ({ userId }) =>
      sql`booking_id in (select booking_id from bookings where customer_user_id = ${userId}::uuid)`,
    erasure: keptForAccounting,
    retention: accountingRecords,
    columns: {
      refundRequestId: 'exported',
      bookingId: 'exported',
      amountCents: 'exported',
      borneBy: 'exported',
      reason: 'exported',
      needsSecondAdmin: 'exported',
      status: 'exported',
      askedBy: 'others',
      askedAt: 'exported',
      decidedBy: 'others',
      decidedAt: 'exported',
    },
  },
  externalRefunds: {
    purpose: 'What a customer got back through a refund made directly in Stripe.',
    rowsOf: ({ userId }) => ownPayments(userId),
    erasure: keptForAccounting,
    retention: accountingRecords,
    columns: {
      stripeRefundId: 'exported',
      paymentId: 'exported',
      amountCents: 'exported',
      status: 'exported',
      madeAt: 'exported',
      foundAt: 'exported',
      refundId: 'exported',
      coversCents: 'exported',
      enteredRefundId: 'exported',
      enteredCents: 'exported',
    },
  },
  disputes: {
    purpose: 'Payments that a customer disputed with their bank, and the evidence that we sent to the bank.',
    rowsOf: ({ userId }) => ownPayments(userId),
    erasure: { ...keptForAccounting, empties: { evidence: () => sql`null` } },
    retention: accountingRecords,
    columns: {
      disputeId: 'exported',
      paymentId: 'exported',
      status: 'exported',
      amountCents: 'exported',
      reason: 'exported',
      openedAt: 'exported',
      evidenceDueBy: 'exported',
      stripeFeeCents: 'exported',
      evidence: 'exported',
      evidenceBy: 'others',
      evidenceAskedAt: 'exported',
      evidenceSentAt: 'exported',
      evidenceRefusal: 'exported',
      borneBy: 'exported',
      bookedCents: 'exported',
      bookedAt: 'exported',
      bookedBy: 'others',
      createdAt: 'exported',
      updatedAt: 'exported',
    },
  },
  ledgerEntries: {
    purpose: "The ledger of a coach's lessons: charges, platform fees, refunds, payouts and deductions.",
    rowsOf: ({ userId }) => sql`coach_id = ${userId}::uuid`,
    erasure: keptForAccounting,
    retention: accountingRecords,
    columns: {
      entryId: 'exported',
      bookingId: 'exported',
      kind: 'exported',
      amountCents: 'exported',
      createdAt: 'exported',
      coachId: 'exported',
      sourceId: 'exported',
    },
  },
  payruns: {
    purpose: 'Payouts to coaches, and the admins who created, paid or cancelled them.',
    rowsOf: ({ userId }) => sql`${userId}::uuid in (created_by, paid_by, cancelled_by)`,
    erasure: keptForAccounting,
    retention: accountingRecords,
    columns: {
      payrunId: 'exported',
      status: 'exported',
      totalAmountCents: 'exported',
      currency: 'exported',
      paymentReference: 'exported',
      createdAt: 'exported',
      // `createdBy`, `paidBy` and `cancelledBy` may each be another admin's id.
      createdBy: 'others',
      needsSecondAdmin: 'exported',
      paidBy: 'others',
      paidAt: 'exported',
      exportedAt: 'exported',
      cancelledAt: 'exported',
      cancelledBy: 'others',
      cancellationReason: 'exported',
    },
  },
  payrunRecipients: {
    purpose: 'What a coach was paid in a payrun, and into which account.',
    rowsOf: ({ userId }) => sql`coach_id = ${userId}::uuid`,
    erasure: {
      text: 'Kept with the name and the encrypted account numbers, because a bank transfer must be traceable.',
    },
    retention: accountingRecords,
    columns: {
      payrunId: 'exported',
      coachId: 'exported',
      amountCents: 'exported',
      accountName: 'exported',
      accountNumberEncrypted: 'masked',
      sortCodeEncrypted: 'masked',
      recipientType: 'exported',
      bankCountry: 'exported',
      bankDetailsAt: 'exported',
    },
    readable: {
      paymentReference: sql`(select payment_reference from payruns payrun where payrun.payrun_id = payrun_recipients.payrun_id)`,
      paidAt: sql`(select paid_at from payruns payrun where payrun.payrun_id = payrun_recipients.payrun_id)`,
      cancelledAt: sql`(select cancelled_at from payruns payrun where payrun.payrun_id = payrun_recipients.payrun_id)`,
    },
  },
  payrunReturns: {
    purpose: 'Payments to a coach that the bank returned, and why.',
    rowsOf: ({ userId }) => sql`coach_id = ${userId}::uuid`,
    erasure: keptForAccounting,
    retention: accountingRecords,
    columns: {
      payrunId: 'exported',
      coachId: 'exported',
      reason: 'exported',
      enteredAt: 'exported',
      enteredBy: 'others',
    },
  },
  payrunItems: {
    purpose: 'The bookings and deductions in a payout, and the amount of each.',
    rowsOf: ({ userId }) => sql`coach_id = ${userId}::uuid`,
    erasure: keptForAccounting,
    retention: accountingRecords,
    columns: {
      payrunId: 'exported',
      coachId: 'exported',
      bookingId: 'exported',
      kind: 'exported',
      refundId: 'exported',
      amountCents: 'exported',
      isCancelled: 'exported',
      payoutNeeds: 'exported',
    },
  },
};
