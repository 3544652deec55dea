import { expect, test } from 'vitest';
import { explainFailure, explainSetupFailure, paymentTransitions } from './rules.ts';

test.each([
  ['card_declined', 'insufficient_funds', 'Your card was declined because of insufficient funds.'],
  ['expired_card', undefined, 'Your card has expired.'],
  ['incorrect_cvc', undefined, "Your card's security code is wrong."],
  ['payment_intent_authentication_failure', undefined, "Your bank couldn't confirm that it was you."],
  ['card_declined', 'generic_decline', 'Your bank declined the card.'],
  [undefined, null, 'Your bank declined the card.'],
])('explains a payment that failed with %s %s', (code, declineCode, sentence) => {
  const { message } = explainFailure(code, declineCode);
  expect(message.startsWith(`${sentence} You have not been charged. `)).toBe(true);
});

test('explains a stolen card like any other declined card', () => {
  expect(explainFailure('card_declined', 'stolen_card')).toEqual(
    explainFailure('card_declined', 'generic_decline'),
  );
});

test('never changes a succeeded payment, but lets a failed payment succeed later', () => {
  expect(paymentTransitions.succeeded).toEqual([]);
  expect(paymentTransitions.failed).toEqual(['succeeded']);
});

test.each([
  ['setup_intent_authentication_failure', undefined, null, "Your bank couldn't confirm that it was you."],
  ['incorrect_cvc', undefined, 'cvc', "Your card's security code is wrong."],
  ['expired_card', undefined, 'expiry', 'Your card has expired.'],
  ['card_declined', 'insufficient_funds', null, 'Your card was declined because of insufficient funds.'],
  ['anything_else', null, null, 'Your bank declined the card.'],
])('explains why a card that failed with %s %s was not saved', (code, declineCode, field, sentence) => {
  const explained = explainSetupFailure(code, declineCode);
  expect(explained.field).toBe(field);
  expect(explained.message.startsWith(`${sentence} Your card wasn't saved. `)).toBe(true);
});
