import { createHash } from 'node:crypto';
import { cardError, type Decline } from '../api/stripe-error.ts';
import type { PaymentMethod } from './records.ts';

const genericDecline: Decline = {
  code: 'card_declined',
  declineCode: 'generic_decline',
  message: 'Your card was declined.',
};
const insufficientFunds: Decline = {
  code: 'card_declined',
  declineCode: 'insufficient_funds',
  message: 'Your card has insufficient funds.',
};

/** How a test card behaves. An operation succeeds unless a property says otherwise. */
interface TestCard {
  brand: 'visa' | 'mastercard' | 'amex';
  country?: string;
  funding?: 'credit' | 'debit';
  /** The decline when the card is saved to a customer. */
  saveDecline?: Decline;
  /** The decline when the card is charged. */
  payDecline?: Decline;
  authentication?: 'until_set_up' | 'set_up_elsewhere' | 'always';
  /** The reason that the cardholder gives for disputing every charge. */
  disputeReason?: string;
}

const declined = (decline: Decline): TestCard => ({
  brand: 'visa',
  saveDecline: decline,
  payDecline: decline,
});

/** Cards from https://docs.stripe.com/testing, by number. Stripe's test mode refuses all but its test cards. */
const testCards: Record<string, TestCard> = {
  '4242424242424242': { brand: 'visa' },
  '4000056655665556': { brand: 'visa', funding: 'debit' },
  '4000008260000000': { brand: 'visa', country: 'GB' },
  '5555555555554444': { brand: 'mastercard' },
  '378282246310005': { brand: 'amex' },
  '4000000000000002': declined(genericDecline),
  '4000000000009995': declined(insufficientFunds),
  '4000000000009987': declined({ ...genericDecline, declineCode: 'lost_card' }),
  '4000000000009979': declined({ ...genericDecline, declineCode: 'stolen_card' }),
  '4000000000000069': declined({ code: 'expired_card', message: 'Your card has expired.' }),
  '4000000000000127': declined({
    code: 'incorrect_cvc',
    message: "Your card's security code is incorrect.",
  }),
  '4000000000000119': declined({
    code: 'processing_error',
    message: 'An error occurred while processing your card. Try again in a little bit.',
  }),
  '4000000000000341': { brand: 'visa', payDecline: genericDecline },
  '4000000000000259': { brand: 'visa', disputeReason: 'fraudulent' },
  '4000000000002685': { brand: 'visa', disputeReason: 'product_not_received' },
  '4000002500003155': { brand: 'visa', country: 'FR', authentication: 'until_set_up' },
  '4000003800000446': { brand: 'visa', country: 'PL', authentication: 'set_up_elsewhere' },
  '4000002760003184': { brand: 'visa', country: 'DE', authentication: 'always' },
  '4000000000003220': { brand: 'visa', country: 'IE', authentication: 'always' },
  '4000008260003178': {
    brand: 'visa',
    country: 'GB',
    payDecline: insufficientFunds,
    authentication: 'always',
  },
  '4000008400001629': {
    brand: 'visa',
    saveDecline: genericDecline,
    payDecline: genericDecline,
    authentication: 'always',
  },
};

const shorthands: Record<string, string> = {
  pm_card_visa: '4242424242424242',
  pm_card_visa_debit: '4000056655665556',
  pm_card_gb: '4000008260000000',
  pm_card_mastercard: '5555555555554444',
  pm_card_amex: '378282246310005',
  pm_card_chargeDeclined: '4000000000000002',
  pm_card_visa_chargeDeclined: '4000000000000002',
  pm_card_chargeDeclinedInsufficientFunds: '4000000000009995',
  pm_card_visa_chargeDeclinedInsufficientFunds: '4000000000009995',
  pm_card_visa_chargeDeclinedLostCard: '4000000000009987',
  pm_card_visa_chargeDeclinedStolenCard: '4000000000009979',
  pm_card_chargeDeclinedExpiredCard: '4000000000000069',
  pm_card_chargeDeclinedIncorrectCvc: '4000000000000127',
  pm_card_chargeDeclinedProcessingError: '4000000000000119',
  pm_card_chargeCustomerFail: '4000000000000341',
  pm_card_createDispute: '4000000000000259',
  pm_card_createDisputeProductNotReceived: '4000000000002685',
  pm_card_authenticationRequiredOnSetup: '4000002500003155',
  pm_card_authenticationRequiredSetupForOffSession: '4000003800000446',
  pm_card_authenticationRequired: '4000002760003184',
  pm_card_threeDSecure2Required: '4000000000003220',
  pm_card_authenticationRequiredChargeDeclinedInsufficientFunds: '4000008260003178',
  pm_card_threeDSecureRequiredChargeDeclined: '4000008400001629',
};

export interface CardDetails {
  number: string;
  expMonth: number;
  expYear: number;
  cvc: string | null;
}

/** The card behind a token such as `pm_card_visa`, or null for any other id. */
export function shorthandCard(id: string): CardDetails | null {
  const number = Object.hasOwn(shorthands, id) ? shorthands[id] : undefined;
  return number === undefined
    ? null
    : { number, expMonth: 8, expYear: new Date().getUTCFullYear() + 3, cvc: '123' };
}

/** Throws Stripe's 402 if the number, expiry date or security code can't be valid, or if this is not a test card. */
export function checkCard(card: CardDetails, now: Date) {
  const { number, expMonth, cvc } = card;
  if (!/^\d{12,19}$/.test(number)) {
    throw cardError(
      { code: 'invalid_number', message: 'The card number is not a valid credit card number.' },
      { param: 'number' },
    );
  }
  if (!passesLuhn(number)) {
    throw cardError(
      { code: 'incorrect_number', message: 'Your card number is incorrect.' },
      { param: 'number' },
    );
  }
  const [thisYear, thisMonth] = [now.getUTCFullYear(), now.getUTCMonth() + 1];
  if (card.expYear < thisYear || card.expYear > thisYear + 50) {
    throw cardError(
      { code: 'invalid_expiry_year', message: "Your card's expiration year is invalid." },
      { param: 'exp_year' },
    );
  }
  if (expMonth < 1 || expMonth > 12 || (card.expYear === thisYear && expMonth < thisMonth)) {
    throw cardError(
      { code: 'invalid_expiry_month', message: "Your card's expiration month is invalid." },
      { param: 'exp_month' },
    );
  }
  if (cvc !== null && !(testCards[number]?.brand === 'amex' ? /^\d{3,4}$/ : /^\d{3}$/).test(cvc)) {
    throw cardError(
      { code: 'invalid_cvc', message: "Your card's security code is invalid." },
      { param: 'cvc' },
    );
  }
  if (!testCards[number]) {
    throw cardError({
      code: 'card_declined',
      declineCode: 'test_mode_live_card',
      message:
        'Your card was declined. Your request was in test mode, but used a non test card. For a list of valid test cards, visit: https://stripe.com/docs/testing.',
    });
  }
}

function passesLuhn(number: string): boolean {
  let sum = 0;
  for (let i = 0; i < number.length; i++) {
    const digit = Number(number[number.length - 1 - i]);
    sum += i % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2;
  }
  return sum % 10 === 0;
}

/** The `card` part of a payment method. The same number always has the same fingerprint. */
export function describeCard(card: CardDetails): PaymentMethod['card'] {
  const { brand, country = 'US', funding = 'credit' } = testCards[card.number]!;
  return {
    brand,
    checks: {
      address_line1_check: null,
      address_postal_code_check: null,
      cvc_check: card.cvc === null ? null : 'unchecked',
    },
    country,
    display_brand: brand === 'amex' ? 'american_express' : brand,
    exp_month: card.expMonth,
    exp_year: card.expYear,
    fingerprint: createHash('sha256').update(`card:${card.number}`).digest('base64url').slice(0, 16),
    funding,
    generated_from: null,
    last4: card.number.slice(-4),
    networks: { available: [brand], preferred: null },
    regulated_status: 'unregulated',
    three_d_secure_usage: { supported: brand !== 'amex' },
    wallet: null,
  };
}

export function saveDecline(number: string): Decline | null {
  return testCards[number]!.saveDecline ?? null;
}

export function payDecline(number: string): Decline | null {
  return testCards[number]!.payDecline ?? null;
}

/** The reason that the cardholder gives for disputing charges of this card; null if they don't dispute them. */
export function disputeReason(number: string): string | null {
  return testCards[number]!.disputeReason ?? null;
}

/** Whether the bank challenges the cardholder before the card is saved. */
export function needsAuthenticationToSave(number: string): boolean {
  const { authentication } = testCards[number]!;
  return authentication === 'always' || authentication === 'until_set_up';
}

/**
 * Whether the cardholder must authenticate to pay. As Stripe documents, setting up a card can exempt only its later
 * off-session payments. While the customer is present, every card with `authentication` requires it.
 */
export function needsAuthenticationToPay(number: string, isOffSession: boolean, isSetUp: boolean): boolean {
  const { authentication } = testCards[number]!;
  if (authentication === undefined) return false;
  if (!isOffSession || authentication === 'always') return true;
  return authentication === 'until_set_up' && !isSetUp;
}
