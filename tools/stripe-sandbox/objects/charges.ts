import type { Call } from '../api/call.ts';
import { cardError, type Decline, missingResource, type StripeError } from '../api/stripe-error.ts';
import type { Change } from '../store.ts';
import { disputeReason, payDecline } from './cards.ts';
import { openDispute } from './disputes.ts';
import {
  type Charge,
  newId,
  nowSeconds,
  type PaymentIntent,
  type PaymentMethod,
  type VaultCard,
} from './records.ts';

export function retrieveCharge({ store, id }: Call): Charge {
  const charge = store.charges.get(id);
  if (!charge) throw missingResource('charge', id, 'id');
  return charge;
}

/**
 * Charges or declines, and updates the intent. A refusal is returned instead of thrown: an API call reports it, but
 * on a challenge page there is no caller to catch it.
 */
export function chargeIntent(
  change: Change,
  intent: PaymentIntent,
  method: PaymentMethod,
  isAuthenticated: boolean,
): { intent: PaymentIntent; refusal: StripeError | null } {
  const vault = change.store.vault.get(method.id)!;
  const decline = payDecline(vault.number);
  const charge = change.put(buildCharge(intent, method, decline, isAuthenticated));
  if (decline) {
    change.emit('charge.failed', charge);
    const failed = failIntent(
      change,
      { ...intent, latest_charge: charge.id },
      cardError(decline, { charge: charge.id, payment_method: method }),
    );
    return {
      intent: failed,
      refusal: cardError(decline, { charge: charge.id, payment_method: method, payment_intent: failed }),
    };
  }
  if (intent.customer === null) change.put<VaultCard>({ ...vault, is_spent: true });
  const succeeded = change.put<PaymentIntent>({
    ...intent,
    amount_received: intent.amount,
    latest_charge: charge.id,
    last_payment_error: null,
    next_action: null,
    payment_method: method.id,
    status: 'succeeded',
  });
  change.emit('charge.succeeded', charge);
  change.emit('payment_intent.succeeded', succeeded);
  const reason = disputeReason(vault.number);
  if (reason) openDispute(change, succeeded.id, reason);
  return { intent: succeeded, refusal: null };
}

/** Sets the intent back to `requires_payment_method`, with the error in `last_payment_error`. */
export function failIntent(change: Change, intent: PaymentIntent, refusal: StripeError): PaymentIntent {
  const failed = change.put<PaymentIntent>({
    ...intent,
    status: 'requires_payment_method',
    payment_method: null,
    next_action: null,
    last_payment_error: refusal.error,
  });
  change.emit('payment_intent.payment_failed', failed);
  return failed;
}

function buildCharge(
  intent: PaymentIntent,
  method: PaymentMethod,
  decline: Decline | null,
  isAuthenticated: boolean,
): Charge {
  const id = newId('ch');
  const { card } = method;
  return {
    id,
    object: 'charge',
    amount: intent.amount,
    amount_captured: decline ? 0 : intent.amount,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: decline ? null : newId('txn'),
    billing_details: method.billing_details,
    calculated_statement_descriptor: null,
    captured: !decline,
    created: nowSeconds(),
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: intent.metadata,
    on_behalf_of: null,
    outcome: {
      advice_code: null,
      network_advice_code: null,
      network_decline_code: null,
      network_status: decline ? 'declined_by_network' : 'approved_by_network',
      reason: decline ? (decline.declineCode ?? decline.code) : null,
      risk_level: 'normal',
      risk_score: 10,
      seller_message: decline
        ? 'The bank did not return any further details with this decline.'
        : 'Payment complete.',
      type: decline ? 'issuer_declined' : 'authorized',
    },
    paid: !decline,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: {
      card: {
        amount_authorized: decline ? null : intent.amount,
        authorization_code: null,
        brand: card.brand,
        checks: card.checks,
        country: card.country,
        electronic_commerce_indicator: null,
        exp_month: card.exp_month,
        exp_year: card.exp_year,
        fingerprint: card.fingerprint ?? null,
        funding: card.funding,
        installments: null,
        last4: card.last4,
        mandate: null,
        network: card.brand,
        network_transaction_id: decline ? null : id.slice(3, 18),
        regulated_status: 'unregulated',
        three_d_secure: isAuthenticated
          ? {
              authentication_flow: 'challenge',
              electronic_commerce_indicator: '05',
              exemption_indicator: null,
              result: 'authenticated',
              result_reason: null,
              transaction_id: id.slice(3),
              version: '2.2.0',
            }
          : null,
        transaction_link_id: null,
        wallet: null,
      },
      type: 'card',
    },
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: intent.statement_descriptor_suffix,
    status: decline ? 'failed' : 'succeeded',
    transfer_data: null,
    transfer_group: null,
  };
}
