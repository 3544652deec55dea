import type { Call, Execution } from '../api/call.ts';
import { listPage } from '../api/lists.ts';
import { invalidRequest, missingResource } from '../api/stripe-error.ts';
import type { Change } from '../store.ts';
import { type Charge, type Dispute, newId, nowSeconds } from './records.ts';

const noEvidence: Dispute['evidence'] = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
};

/** Stripe's fee for a dispute of a card from the United Kingdom, in minor units: £20. */
const disputeFee = 2_000;

/** What a dispute takes from the balance: the part of the charge that was not refunded, and the fee. */
function withdraw(charge: Charge, created: number): Dispute['balance_transactions'][number] {
  const amount = charge.amount_refunded - charge.amount;
  const description = 'Dispute fee';
  return {
    id: newId('txn'),
    object: 'balance_transaction',
    amount,
    available_on: created,
    balance_type: 'payments',
    created,
    currency: charge.currency,
    description: `Chargeback withdrawal for ${charge.id}`,
    exchange_rate: null,
    fee: disputeFee,
    fee_details: [
      { amount: disputeFee, application: null, currency: charge.currency, description, type: 'stripe_fee' },
    ],
    net: amount - disputeFee,
    reporting_category: 'dispute',
    source: charge.id,
    status: 'available',
    type: 'adjustment',
  };
}

/** Disputes the charge of a succeeded payment intent, as a cardholder can at the bank. */
export function openDispute(change: Change, intentId: string, reason: string): Dispute {
  const charge = change.store.charges.ofOwner(intentId).find((one) => one.status === 'succeeded');
  if (!charge) throw missingResource('payment_intent', intentId, 'payment_intent');
  if (charge.disputed)
    throw invalidRequest(`Charge ${charge.id} has already been disputed.`, 'charge_disputed');
  const created = nowSeconds();
  change.put<Charge>({ ...charge, disputed: true });
  const dispute = change.put<Dispute>({
    id: newId('du'),
    object: 'dispute',
    amount: charge.amount - charge.amount_refunded,
    balance_transactions: [withdraw(charge, created)],
    charge: charge.id,
    created,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: noEvidence,
    evidence_details: {
      due_by: created + 10 * 24 * 60 * 60,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason,
    status: 'needs_response',
  });
  change.emit('charge.dispute.created', dispute);
  change.emit('charge.dispute.funds_withdrawn', dispute);
  return dispute;
}

const textFields = (Object.keys(noEvidence) as (keyof Dispute['evidence'])[]).filter(
  (name) => noEvidence[name] === null,
);

/** Stripe's limit for all texts of one submission together, in characters. */
const mostCharacters = 150_000;

/**
 * Adds evidence to a dispute and, unless `submit` is false, sends it to the bank, which is possible only once. Source:
 * https://docs.stripe.com/api/disputes/update
 */
export function updateDispute({ store, id, params }: Call): Execution {
  retrieveDispute({ store, id });
  const given = params.nested('evidence');
  const evidence: Record<string, string | null> = {};
  for (const name of textFields) if (given?.has(name)) evidence[name] = given.text(name);
  const isSubmitted = !params.has('submit') || params.flag('submit');
  const metadata = params.metadata();
  const size = Object.values(evidence).reduce((sum, text) => sum + (text?.length ?? 0), 0);
  if (size > mostCharacters) throw invalidRequest('The evidence is too long.', undefined, 'evidence');
  return (change) => {
    const before = retrieveDispute({ store: change.store, id });
    const isInquiry = before.status.startsWith('warning_');
    if (before.status !== 'needs_response' && before.status !== 'warning_needs_response') {
      throw invalidRequest('This dispute is already closed or under review.', 'dispute_already_submitted');
    }
    const details = before.evidence_details;
    const dispute = change.put<Dispute>({
      ...before,
      ...(isSubmitted && { status: isInquiry ? 'warning_under_review' : 'under_review' }),
      evidence: { ...before.evidence, ...evidence },
      evidence_details: {
        ...details,
        has_evidence: true,
        submission_count: details.submission_count + (isSubmitted ? 1 : 0),
        submission_method: isSubmitted ? 'manual' : details.submission_method,
      },
      metadata: { ...before.metadata, ...metadata },
    });
    change.emit('charge.dispute.updated', dispute);
    return dispute;
  };
}

/** Closes a dispute with the bank's decision. */
export function closeDispute(change: Change, id: string, status: 'won' | 'lost'): Dispute {
  const dispute = change.store.disputes.get(id);
  if (!dispute) throw missingResource('dispute', id, 'id');
  if (dispute.status === 'won' || dispute.status === 'lost') {
    throw invalidRequest(`Dispute ${id} has already been ${dispute.status}.`);
  }
  const closed = change.put<Dispute>({ ...dispute, status });
  if (status === 'won') change.emit('charge.dispute.funds_reinstated', closed);
  change.emit('charge.dispute.closed', closed);
  return closed;
}

export function listDisputes({ store, params, path }: Call) {
  const intentId = params.text('payment_intent');
  const chargeId = params.text('charge');
  return listPage(path, params, store.disputes.ids(), (id) => {
    const dispute = store.disputes.get(id)!;
    const isMeant =
      (intentId === null || dispute.payment_intent === intentId) &&
      (chargeId === null || dispute.charge === chargeId);
    return isMeant ? dispute : null;
  });
}

export function retrieveDispute({ store, id }: Pick<Call, 'store' | 'id'>): Dispute {
  const dispute = store.disputes.get(id);
  if (!dispute) throw missingResource('dispute', id, 'id');
  return dispute;
}
