import type { Call, Execution } from '../api/call.ts';
import { listPage } from '../api/lists.ts';
import type { Params } from '../api/params.ts';
import { cardError, invalidRequest, missingResource } from '../api/stripe-error.ts';
import type { Change, Store } from '../store.ts';
import { type CardDetails, checkCard, describeCard, saveDecline, shorthandCard } from './cards.ts';
import { findCustomer } from './customers.ts';
import { newId, nowSeconds, type PaymentMethod, type VaultCard } from './records.ts';

/** A payment method that has not been created yet, from `POST /v1/payment_methods` or `payment_method_data`. */
export interface PaymentMethodDraft {
  card: CardDetails;
  billingDetails: PaymentMethod['billing_details'];
  metadata: Record<string, string>;
}

export function createPaymentMethod({ params }: Call): Execution {
  const draft = readPaymentMethod(params);
  return (change) => makePaymentMethod(change, draft);
}

/** Reads a new payment method. Throws Stripe's error for invalid card details, or for a type other than `card`. */
export function readPaymentMethod(params: Params): PaymentMethodDraft {
  params.allow(['billing_details', 'card', 'metadata', 'type']);
  if (params.requiredText('type') !== 'card') {
    throw invalidRequest(
      'The Stripe simulator only accepts payment methods of type card.',
      undefined,
      'type',
    );
  }
  const card = params.nested('card');
  if (!card) throw invalidRequest('Missing required param: card.', 'parameter_missing', 'card');
  card.allow(['cvc', 'exp_month', 'exp_year', 'number']);
  const expYear = card.integer('exp_year') ?? 0;
  const details = {
    number: card.requiredText('number').replace(/[ -]/g, ''),
    expMonth: card.integer('exp_month') ?? 0,
    expYear: expYear < 100 ? 2000 + expYear : expYear,
    cvc: card.text('cvc'),
  };
  checkCard(details, new Date());
  return { card: details, billingDetails: readBillingDetails(params), metadata: params.metadata() };
}

function readBillingDetails(params: Params): PaymentMethod['billing_details'] {
  const details = params.nested('billing_details')?.allow(['address', 'email', 'name', 'phone']);
  const address = details
    ?.nested('address')
    ?.allow(['city', 'country', 'line1', 'line2', 'postal_code', 'state']);
  return {
    address: {
      city: address?.text('city') ?? null,
      country: address?.text('country') ?? null,
      line1: address?.text('line1') ?? null,
      line2: address?.text('line2') ?? null,
      postal_code: address?.text('postal_code') ?? null,
      state: address?.text('state') ?? null,
    },
    email: details?.text('email') ?? null,
    name: details?.text('name') ?? null,
    phone: details?.text('phone') ?? null,
    tax_id: null,
  };
}

const noBillingDetails: PaymentMethod['billing_details'] = {
  address: { city: null, country: null, line1: null, line2: null, postal_code: null, state: null },
  email: null,
  name: null,
  phone: null,
  tax_id: null,
};

export function makePaymentMethod(change: Change, draft: PaymentMethodDraft): PaymentMethod {
  const id = newId('pm');
  change.put<VaultCard>({
    id,
    object: 'vault_card',
    number: draft.card.number,
    is_set_up: false,
    is_spent: false,
  });
  return change.put<PaymentMethod>({
    id,
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: draft.billingDetails,
    card: describeCard(draft.card),
    created: nowSeconds(),
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: draft.metadata,
    type: 'card',
  });
}

/** A stored payment method, or a new one for a token such as `pm_card_visa`. */
export function resolvePaymentMethod(change: Change, id: string, param: string): PaymentMethod {
  const card = shorthandCard(id);
  if (card) return makePaymentMethod(change, { card, billingDetails: noBillingDetails, metadata: {} });
  return findPaymentMethod(change.store, id, param);
}

/** Throws if the payment method cannot be reused or belongs to a customer other than the intent's. */
export function refuseForeignPaymentMethod(
  store: Store,
  method: PaymentMethod,
  customer: string | null,
  intentName: string,
) {
  if (method.customer !== null && customer === null) {
    throw invalidRequest(
      `The PaymentMethod ${method.id} belongs to the Customer ${method.customer}. Please include the Customer in the \`customer\` parameter on the ${intentName}.`,
      undefined,
      'payment_method',
    );
  }
  if (method.customer !== null && method.customer !== customer) {
    throw invalidRequest(
      `The customer does not have a payment method with the ID ${method.id}. The payment method must be attached to the customer.`,
      undefined,
      'payment_method',
    );
  }
  if (store.vault.get(method.id)!.is_spent) throw spentPaymentMethod();
}

function spentPaymentMethod() {
  return invalidRequest(
    'The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment, shared with a connected account without Customer attachment, or was detached from a Customer. It may not be used again. To use a PaymentMethod multiple times, you must attach it to a Customer first.',
    undefined,
    'payment_method',
  );
}

export function attachPaymentMethod({ id, params }: Call): Execution {
  const customerId = params.allow(['customer']).requiredText('customer');
  return (change) => {
    const customer = findCustomer(change.store, customerId, 'customer');
    const method = resolvePaymentMethod(change, id, 'id');
    if (method.customer === customer.id) return method;
    if (method.customer !== null) {
      throw invalidRequest('The payment method you provided has already been attached to a customer.');
    }
    const { number, is_spent } = change.store.vault.get(method.id)!;
    if (is_spent) throw spentPaymentMethod();
    const decline = saveDecline(number);
    if (decline) throw cardError(decline);
    return giveToCustomer(change, method, customer.id);
  };
}

/** Attaches a payment method without asking the bank, which the caller must have done. */
export function giveToCustomer(change: Change, method: PaymentMethod, customer: string): PaymentMethod {
  const checks = method.card.checks!;
  const attached = change.put<PaymentMethod>({
    ...method,
    customer,
    card: { ...method.card, checks: { ...checks, cvc_check: checks.cvc_check === null ? null : 'pass' } },
  });
  change.emit('payment_method.attached', attached);
  return attached;
}

export function detachPaymentMethod({ store, id, params }: Call): Execution {
  params.allow([]);
  findPaymentMethod(store, id, 'id');
  return (change) => {
    const method = findPaymentMethod(change.store, id, 'id');
    if (method.customer === null) {
      throw invalidRequest(
        'The payment method you provided is not attached to a customer so detachment is impossible.',
      );
    }
    return detach(change, method);
  };
}

/** Detaches a payment method from its customer, so that it cannot be used again. */
export function detach(change: Change, method: PaymentMethod): PaymentMethod {
  change.put<VaultCard>({ ...change.store.vault.get(method.id)!, is_spent: true });
  const detached = change.put<PaymentMethod>({ ...method, customer: null });
  change.emit('payment_method.detached', detached);
  return detached;
}

/**
 * Turns a card into a Link payment method, which has no `card`. A customer may save one in Stripe's form instead of a
 * card.
 */
export function becomeLink(change: Change, id: string, type: 'link'): PaymentMethod {
  const { card: _, ...method } = findPaymentMethod(change.store, id, 'id');
  return change.put({ ...method, type, link: { email: null } } as unknown as PaymentMethod);
}

export function retrievePaymentMethod({ store, id }: Call): PaymentMethod {
  return findPaymentMethod(store, id, 'id');
}

export function findPaymentMethod(store: Store, id: string, param: string): PaymentMethod {
  const method = store.paymentMethods.get(id);
  if (!method) throw missingResource('PaymentMethod', id, param);
  return method;
}

export function listPaymentMethods({ store, params, path, id }: Call) {
  const customer = id === '' ? params.requiredText('customer') : id;
  findCustomer(store, customer, id === '' ? 'customer' : 'id');
  const type = params.text('type');
  return listPage(path, params, store.paymentMethods.idsOf(customer), (methodId) => {
    const method = store.paymentMethods.get(methodId)!;
    return type === null || method.type === type ? method : null;
  });
}

/**
 * Returns a function that finds `payment_method` or creates the one in `payment_method_data`. The function returns null
 * without either.
 */
export function readMethodChoice(params: Params): (change: Change) => PaymentMethod | null {
  const id = params.text('payment_method');
  const data = params.nested('payment_method_data');
  if (id !== null && data !== null) {
    throw invalidRequest(
      'You may only specify one of these parameters: payment_method, payment_method_data.',
      'parameters_exclusive',
      'payment_method',
    );
  }
  const draft = data && readPaymentMethod(data);
  return (change) => {
    if (draft) return makePaymentMethod(change, draft);
    return id === null ? null : resolvePaymentMethod(change, id, 'payment_method');
  };
}
