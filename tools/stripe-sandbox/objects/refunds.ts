import type { Call, Execution } from '../api/call.ts';
import { listPage } from '../api/lists.ts';
import { invalidRequest, missingResource } from '../api/stripe-error.ts';
import type { Change, Store } from '../store.ts';
import { formatAmount } from './amounts.ts';
import { type Charge, newId, nowSeconds, type Refund } from './records.ts';

export function createRefund({ store, params, switches }: Call): Execution {
  params.allow(['amount', 'charge', 'metadata', 'payment_intent', 'reason']);
  const asked = params.integer('amount');
  if (asked !== null && asked < 1) {
    throw invalidRequest('Invalid positive integer', 'parameter_invalid_integer', 'amount');
  }
  const reason = params.choice('reason', ['duplicate', 'fraudulent', 'requested_by_customer']);
  const metadata = params.metadata();
  const chargeId = findCharge(store, params).id;

  return (change) => {
    const charge = change.store.charges.get(chargeId)!;
    if (switches.refundsRefused) {
      throw invalidRequest(`The issuer refuses refunds of charge ${charge.id}.`, 'charge_not_refundable');
    }
    refuseDisputed(change.store, charge);
    const left = charge.amount - charge.amount_refunded;
    if (left === 0) {
      throw invalidRequest(`Charge ${charge.id} has already been refunded.`, 'charge_already_refunded');
    }
    const amount = asked ?? left;
    if (amount > left) {
      const [requested, rest] = [formatAmount(amount, charge.currency), formatAmount(left, charge.currency)];
      throw invalidRequest(
        charge.amount_refunded === 0
          ? `Refund amount (${requested}) is greater than charge amount (${rest})`
          : `Refund amount (${requested}) is greater than unrefunded amount on charge (${rest})`,
        undefined,
        'amount',
      );
    }
    const isPending = switches.refundsPending;
    const refund = change.put<Refund>({
      id: newId('re'),
      object: 'refund',
      amount,
      balance_transaction: newId('txn'),
      charge: charge.id,
      created: nowSeconds(),
      currency: charge.currency,
      customer: charge.customer,
      customer_account: null,
      destination_details: { card: { reference_status: 'pending', type: 'refund' }, type: 'card' },
      metadata,
      payment_intent: charge.payment_intent,
      payment_method: charge.payment_method,
      ...(isPending && { pending_reason: 'processing' }),
      reason,
      receipt_number: null,
      source_transfer_reversal: null,
      status: isPending ? 'pending' : 'succeeded',
      transfer_reversal: null,
    });
    const refunded = change.put(withRefunded(charge, charge.amount_refunded + amount));
    change.emit('refund.created', refund);
    change.emit('charge.refunded', refunded);
    return refund;
  };
}

/** Refuses a refund of a disputed charge: the bank keeps the money until it decides in the seller's favour. */
function refuseDisputed(store: Store, charge: Charge) {
  if (store.disputes.ofOwner(charge.id).every(({ status }) => status === 'won')) return;
  throw invalidRequest(
    `Charge ${charge.id} has been charged back; cannot issue a refund.`,
    'charge_disputed',
  );
}

function withRefunded(charge: Charge, amountRefunded: number): Charge {
  return { ...charge, amount_refunded: amountRefunded, refunded: amountRefunded === charge.amount };
}

/** The charge to refund: the named charge, or the successful charge of the named payment intent. */
function findCharge(store: Store, params: Call['params']): Charge {
  const chargeId = params.text('charge');
  const intentId = params.text('payment_intent');
  if (chargeId === null && intentId === null) {
    throw invalidRequest(
      'One of the following params should be provided for this request: payment_intent or charge.',
      'parameter_missing',
    );
  }
  if (intentId !== null && !store.paymentIntents.get(intentId)) {
    throw missingResource('payment_intent', intentId, 'payment_intent');
  }
  const charge =
    chargeId === null
      ? store.charges.ofOwner(intentId!).find((one) => one.status === 'succeeded')
      : store.charges.get(chargeId);
  if (!charge && chargeId !== null) throw missingResource('charge', chargeId, 'charge');
  if (charge?.status !== 'succeeded') {
    throw invalidRequest(
      `This PaymentIntent (${intentId ?? charge?.payment_intent}) does not have a successful charge to refund.`,
      'payment_intent_unexpected_state',
      'payment_intent',
    );
  }
  return charge;
}

/** Finishes a pending refund, or fails a refund that has succeeded, as a bank can. Returns the updated refund. */
export function finishRefund(change: Change, id: string, status: 'succeeded' | 'failed'): Refund {
  const before = change.store.refunds.get(id);
  if (!before) throw missingResource('refund', id, 'id');
  if (before.status === status || before.status === 'failed') {
    throw invalidRequest(`Refund ${id} has already ${before.status}.`);
  }
  const { pending_reason: _, ...rest } = before;
  if (status === 'succeeded') {
    const refund = change.put<Refund>({ ...rest, status });
    change.emit('refund.updated', refund);
    change.emit('charge.refund.updated', refund);
    return refund;
  }
  const charge = change.store.charges.get(before.charge)!;
  const refund = change.put<Refund>({
    ...rest,
    status,
    failure_reason: 'expired_or_canceled_card',
    failure_balance_transaction: newId('txn'),
  });
  change.put(withRefunded(charge, charge.amount_refunded - before.amount));
  change.emit('refund.failed', refund);
  change.emit('refund.updated', refund);
  change.emit('charge.refund.updated', refund);
  return refund;
}

export function retrieveRefund({ store, id }: Call): Refund {
  const refund = store.refunds.get(id);
  if (!refund) throw missingResource('refund', id, 'id');
  return refund;
}

export function listRefunds({ store, params, path }: Call) {
  const intentId = params.text('payment_intent');
  const chargeId = params.text('charge');
  if (intentId !== null && !store.paymentIntents.get(intentId)) {
    throw missingResource('payment_intent', intentId, 'payment_intent');
  }
  if (chargeId !== null && !store.charges.get(chargeId)) throw missingResource('charge', chargeId, 'charge');
  let ids = chargeId === null ? store.refunds.ids() : store.refunds.idsOf(chargeId);
  if (intentId !== null) {
    ids = store.charges.idsOf(intentId).flatMap((charge) => store.refunds.idsOf(charge));
  }
  return listPage(path, params, ids, (id) => store.refunds.get(id)!);
}
