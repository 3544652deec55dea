import type { Call, Execution } from '../api/call.ts';
import { cardError, invalidRequest, type StripeError } from '../api/stripe-error.ts';
import type { Change } from '../store.ts';
import { needsAuthenticationToSave, saveDecline } from './cards.ts';
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
import { newId, nowSeconds, type PaymentMethod, type SetupIntent, type VaultCard } from './records.ts';

const confirmParams = [
  'client_secret',
  'payment_method',
  'payment_method_data',
  'return_url',
  'use_stripe_sdk',
];

const missingMethod =
  "You cannot confirm this SetupIntent because it's missing a payment method. Update the SetupIntent with a payment method and then confirm it again.";

export function createSetupIntent(call: Call): Execution {
  refuseWrittenMethodTypes(call.params);
  const params = call.params.allow([
    ...confirmParams,
    'automatic_payment_methods',
    'confirm',
    'customer',
    'description',
    'metadata',
    'allowed_payment_method_types',
    'usage',
  ]);
  const types = readMethodTypes(params);
  const isConfirmed = params.flag('confirm');
  if (isConfirmed) requireReturnUrl(call, types);
  const customer = params.text('customer');
  const usage = params.choice('usage', ['off_session', 'on_session']) ?? 'off_session';
  const [description, metadata] = [params.text('description'), params.metadata()];
  const chooseMethod = readMethodChoice(params);
  if (isConfirmed && !params.has('payment_method') && !params.has('payment_method_data')) {
    throw invalidRequest(missingMethod);
  }

  return (change) => {
    if (customer !== null) findCustomer(change.store, customer, 'customer');
    const method = chooseMethod(change);
    if (method) refuseForeignPaymentMethod(change.store, method, customer, 'SetupIntent');
    const id = newId('seti');
    const intent = change.put<SetupIntent>({
      id,
      object: 'setup_intent',
      application: null,
      ...types,
      cancellation_reason: null,
      client_secret: newId(`${id}_secret`),
      created: nowSeconds(),
      customer,
      customer_account: null,
      description,
      excluded_payment_method_types: null,
      flow_directions: null,
      last_setup_error: null,
      latest_attempt: null,
      livemode: false,
      mandate: null,
      metadata,
      next_action: null,
      on_behalf_of: null,
      payment_method: method?.id ?? null,
      payment_method_configuration_details: null,
      payment_method_options: {
        card: { mandate_options: null, network: null, request_three_d_secure: 'automatic' },
      },
      single_use_mandate: null,
      status: method ? 'requires_confirmation' : 'requires_payment_method',
      usage,
    });
    change.emit('setup_intent.created', intent);
    return isConfirmed ? confirm(change, intent, method) : intent;
  };
}

export function confirmSetupIntent(call: Call): Execution {
  refuseWrittenMethodTypes(call.params);
  const params = call.params.allow(confirmParams);
  const known = findSetupIntent(call);
  requireReturnUrl(call, known);
  const chooseMethod = readMethodChoice(params);
  return (change) => {
    const intent = change.store.setupIntents.get(known.id)!;
    refuseUnexpectedState(intent, 'confirm');
    const method =
      chooseMethod(change) ??
      (intent.payment_method === null
        ? null
        : findPaymentMethod(change.store, intent.payment_method, 'payment_method'));
    return confirm(change, intent, method);
  };
}

function confirm(change: Change, intent: SetupIntent, method: PaymentMethod | null): SetupIntent {
  if (!method) {
    throw unexpectedState(intent, missingMethod);
  }
  refuseForeignPaymentMethod(change.store, method, intent.customer, 'SetupIntent');
  const attempt = { ...intent, payment_method: method.id, latest_attempt: newId('setatt') };
  if (needsAuthenticationToSave(change.store.vault.get(method.id)!.number)) {
    const waiting = change.put<SetupIntent>({
      ...attempt,
      status: 'requires_action',
      last_setup_error: null,
      next_action: challengeAction(intent.id, intent.client_secret),
    });
    change.emit('setup_intent.requires_action', waiting);
    return waiting;
  }
  const { intent: settled, refusal } = settle(change, attempt, method);
  if (refusal) throw refusal;
  return settled;
}

/** Saves or declines the card. Throws nothing, because on a challenge page there is no caller to catch an error. */
function settle(change: Change, intent: SetupIntent, method: PaymentMethod) {
  const vault = change.store.vault.get(method.id)!;
  const decline = saveDecline(vault.number);
  if (decline) {
    const refusal = cardError(decline, { payment_method: method });
    const failed = fail(change, intent, refusal);
    return { intent: failed, refusal: cardError(decline, { payment_method: method, setup_intent: failed }) };
  }
  change.put<VaultCard>({ ...vault, is_set_up: vault.is_set_up || intent.usage === 'off_session' });
  if (intent.customer !== null && method.customer === null) giveToCustomer(change, method, intent.customer);
  const succeeded = change.put<SetupIntent>({
    ...intent,
    status: 'succeeded',
    next_action: null,
    last_setup_error: null,
  });
  change.emit('setup_intent.succeeded', succeeded);
  return { intent: succeeded, refusal: null };
}

function fail(change: Change, intent: SetupIntent, refusal: StripeError): SetupIntent {
  const failed = change.put<SetupIntent>({
    ...intent,
    status: 'requires_payment_method',
    payment_method: null,
    next_action: null,
    last_setup_error: refusal.error,
  });
  change.emit('setup_intent.setup_failed', failed);
  return failed;
}

/** Applies the cardholder's answer to the bank's challenge. */
export function answerSetupChallenge(change: Change, intent: SetupIntent, isAuthentic: boolean) {
  const method = findPaymentMethod(change.store, intent.payment_method!, 'payment_method');
  if (isAuthentic) return settle(change, intent, method).intent;
  const refusal = invalidRequest(
    'The latest attempt to set up the payment method has failed because authentication failed.',
    'setup_intent_authentication_failure',
  );
  refusal.error.payment_method = method;
  return fail(change, intent, refusal);
}

export function cancelSetupIntent(call: Call): Execution {
  const reason = call.params
    .allow(['cancellation_reason'])
    .choice('cancellation_reason', ['abandoned', 'duplicate', 'requested_by_customer']);
  const { id } = findSetupIntent(call);
  return (change) => {
    const intent = change.store.setupIntents.get(id)!;
    refuseUnexpectedState(intent, 'cancel');
    const canceled = change.put<SetupIntent>({
      ...intent,
      status: 'canceled',
      cancellation_reason: reason,
      next_action: null,
    });
    change.emit('setup_intent.canceled', canceled);
    return canceled;
  };
}

export function retrieveSetupIntent(call: Call): SetupIntent {
  return findSetupIntent(call);
}

function findSetupIntent(call: Call): SetupIntent {
  return findIntent(call, call.store.setupIntents, 'setup_intent');
}
