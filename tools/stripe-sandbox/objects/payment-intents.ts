import type { Call, Execution } from '../api/call.ts';
import { listPage } from '../api/lists.ts';
import { cardError, invalidRequest, missingResource } from '../api/stripe-error.ts';
import type { Change } from '../store.ts';
import { readAmount } from './amounts.ts';
import { needsAuthenticationToPay } from './cards.ts';
import { chargeIntent, failIntent } from './charges.ts';
import { findCustomer } from './customers.ts';
import {
  challengeAction,
  findIntent,
  readMethodTypes,
  refuseUnexpectedState,
  refuseWrittenMethodTypes,
  requireReturnUrl,
  unexpectedState,
} from './intents.ts';
import {
  findPaymentMethod,
  giveToCustomer,
  readMethodChoice,
  refuseForeignPaymentMethod,
} from './payment-methods.ts';
import { newId, nowSeconds, type PaymentIntent, type PaymentMethod } from './records.ts';

const confirmParams = [
  'client_secret',
  'error_on_requires_action',
  'off_session',
  'payment_method',
  'payment_method_data',
  'receipt_email',
  'return_url',
  'setup_future_usage',
  'use_stripe_sdk',
];

interface ConfirmWishes {
  isOffSession: boolean;
  /** Whether to decline a payment that needs the cardholder to authenticate. */
  isActionRefused: boolean;
  setupFutureUsage: 'off_session' | 'on_session' | null;
  receiptEmail: string | null;
}

function readConfirmWishes(call: Call): ConfirmWishes {
  const { params, isPublishable } = call;
  const offSession = params.text('off_session');
  if (isPublishable && offSession !== null) {
    throw invalidRequest('Received unknown parameter: off_session', 'parameter_unknown', 'off_session');
  }
  return {
    isOffSession: offSession !== null && offSession !== 'false',
    isActionRefused: params.flag('error_on_requires_action'),
    setupFutureUsage: params.choice('setup_future_usage', ['off_session', 'on_session']),
    receiptEmail: params.text('receipt_email'),
  };
}

const missingMethod =
  "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken.";

export function createPaymentIntent(call: Call): Execution {
  refuseWrittenMethodTypes(call.params);
  const params = call.params.allow([
    ...confirmParams,
    'amount',
    'automatic_payment_methods',
    'capture_method',
    'confirm',
    'confirmation_method',
    'currency',
    'customer',
    'description',
    'metadata',
    'allowed_payment_method_types',
    'statement_descriptor_suffix',
  ]);
  const { amount, currency } = readAmount(params);
  const captureMethod = params.choice('capture_method', ['automatic', 'automatic_async']);
  params.choice('confirmation_method', ['automatic']);
  const types = readMethodTypes(params);
  const isConfirmed = params.flag('confirm');
  const wishes = readConfirmWishes(call);
  if (isConfirmed && !wishes.isOffSession) requireReturnUrl(call, types);
  if (wishes.isOffSession && !isConfirmed) {
    throw invalidRequest('off_session can only be used with confirm=true.', undefined, 'off_session');
  }
  const [customer, description, metadata] = [
    params.text('customer'),
    params.text('description'),
    params.metadata(),
  ];
  const statementSuffix = params.text('statement_descriptor_suffix');
  const chooseMethod = readMethodChoice(params);
  if (isConfirmed && !params.has('payment_method') && !params.has('payment_method_data')) {
    throw invalidRequest(missingMethod);
  }

  return (change) => {
    if (customer !== null) findCustomer(change.store, customer, 'customer');
    const method = chooseMethod(change);
    if (method) refuseForeignPaymentMethod(change.store, method, customer, 'PaymentIntent');
    const id = newId('pi');
    const intent = change.put<PaymentIntent>({
      id,
      object: 'payment_intent',
      amount,
      amount_capturable: 0,
      amount_details: { tip: {} },
      amount_received: 0,
      application: null,
      application_fee_amount: null,
      ...types,
      canceled_at: null,
      cancellation_reason: null,
      capture_method: captureMethod ?? 'automatic_async',
      client_secret: newId(`${id}_secret`),
      confirmation_method: 'automatic',
      created: nowSeconds(),
      currency,
      customer,
      customer_account: null,
      description,
      excluded_payment_method_types: null,
      last_payment_error: null,
      latest_charge: null,
      livemode: false,
      managed_payments: null,
      metadata,
      next_action: null,
      on_behalf_of: null,
      payment_method: method?.id ?? null,
      payment_method_configuration_details: null,
      payment_method_options: {
        card: {
          installments: null,
          mandate_options: null,
          network: null,
          request_three_d_secure: 'automatic',
        },
      },
      payment_record: null,
      processing: null,
      receipt_email: wishes.receiptEmail,
      review: null,
      setup_future_usage: wishes.setupFutureUsage,
      shipping: null,
      source: null,
      statement_descriptor: null,
      statement_descriptor_suffix: statementSuffix,
      status: method ? 'requires_confirmation' : 'requires_payment_method',
      transfer_data: null,
      transfer_group: null,
    });
    change.emit('payment_intent.created', intent);
    return isConfirmed ? confirm(change, intent, method, wishes) : intent;
  };
}

export function confirmPaymentIntent(call: Call): Execution {
  refuseWrittenMethodTypes(call.params);
  const params = call.params.allow(confirmParams);
  const known = findPaymentIntent(call);
  const wishes = readConfirmWishes(call);
  if (!wishes.isOffSession) requireReturnUrl(call, known);
  const chooseMethod = readMethodChoice(params);
  return (change) => {
    const intent = change.store.paymentIntents.get(known.id)!;
    refuseUnexpectedState(intent, 'confirm');
    const method =
      chooseMethod(change) ??
      (intent.payment_method === null
        ? null
        : findPaymentMethod(change.store, intent.payment_method, 'payment_method'));
    return confirm(change, intent, method, wishes);
  };
}

function confirm(
  change: Change,
  before: PaymentIntent,
  method: PaymentMethod | null,
  wishes: ConfirmWishes,
): PaymentIntent {
  if (!method) {
    throw unexpectedState(before, missingMethod);
  }
  refuseForeignPaymentMethod(change.store, method, before.customer, 'PaymentIntent');
  const intent: PaymentIntent = {
    ...before,
    payment_method: method.id,
    setup_future_usage: wishes.setupFutureUsage ?? before.setup_future_usage,
    receipt_email: wishes.receiptEmail ?? before.receipt_email,
  };
  const { number, is_set_up } = change.store.vault.get(method.id)!;
  if (needsAuthenticationToPay(number, wishes.isOffSession, is_set_up)) {
    if (wishes.isOffSession || wishes.isActionRefused) throw refuseUnauthenticated(change, intent, method);
    const waiting = change.put<PaymentIntent>({
      ...intent,
      status: 'requires_action',
      last_payment_error: null,
      next_action: challengeAction(intent.id, intent.client_secret),
    });
    change.emit('payment_intent.requires_action', waiting);
    return waiting;
  }
  const { intent: settled, refusal } = charge(change, intent, method, false);
  if (refusal) throw refusal;
  return settled;
}

function refuseUnauthenticated(change: Change, intent: PaymentIntent, method: PaymentMethod) {
  const decline = {
    code: 'authentication_required',
    declineCode: 'authentication_required',
    message:
      'Your card was declined. This transaction requires authentication. Please check your card details and try again.',
  };
  const failed = failIntent(change, intent, cardError(decline, { payment_method: method }));
  return cardError(decline, { payment_method: method, payment_intent: failed });
}

function charge(change: Change, intent: PaymentIntent, method: PaymentMethod, isAuthenticated: boolean) {
  const result = chargeIntent(change, intent, method, isAuthenticated);
  if (!result.refusal && intent.setup_future_usage && intent.customer && method.customer === null) {
    giveToCustomer(change, method, intent.customer);
  }
  return result;
}

/** Applies the cardholder's answer to the bank's challenge. */
export function answerPaymentChallenge(change: Change, intent: PaymentIntent, isAuthentic: boolean) {
  const method = findPaymentMethod(change.store, intent.payment_method!, 'payment_method');
  if (isAuthentic) return charge(change, intent, method, true).intent;
  const refusal = invalidRequest(
    'The provided PaymentMethod has failed authentication. You can provide payment_method_data or a new PaymentMethod to attempt to fulfill this PaymentIntent again.',
    'payment_intent_authentication_failure',
  );
  refusal.error.payment_method = method;
  return failIntent(change, intent, refusal);
}

export function cancelPaymentIntent(call: Call): Execution {
  const reason = call.params
    .allow(['cancellation_reason'])
    .choice('cancellation_reason', ['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer']);
  const { id } = findPaymentIntent(call);
  return (change) => {
    const intent = change.store.paymentIntents.get(id)!;
    refuseUnexpectedState(intent, 'cancel');
    const canceled = change.put<PaymentIntent>({
      ...intent,
      status: 'canceled',
      canceled_at: nowSeconds(),
      cancellation_reason: reason,
      next_action: null,
    });
    change.emit('payment_intent.canceled', canceled);
    return canceled;
  };
}

export function retrievePaymentIntent(call: Call): PaymentIntent {
  return findPaymentIntent(call);
}

export function listPaymentIntents({ store, params, path }: Call) {
  const customer = params.text('customer');
  const intents = store.paymentIntents;
  if (customer !== null && !store.customers.get(customer)) {
    throw missingResource('customer', customer, 'customer');
  }
  const ids = customer === null ? intents.ids() : intents.idsOf(customer);
  return listPage(path, params, ids, (id) => intents.get(id)!);
}

function findPaymentIntent(call: Call): PaymentIntent {
  return findIntent(call, call.store.paymentIntents, 'payment_intent');
}
