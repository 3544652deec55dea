import type { Call } from '../api/call.ts';
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
    balance_transactions: [],
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

export function retrieveDispute({ store, id }: Call): Dispute {
  const dispute = store.disputes.get(id);
  if (!dispute) throw missingResource('dispute', id, 'id');
  return dispute;
}
