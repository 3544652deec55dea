export const paymentStatuses = ['processing', 'requires_action', 'succeeded', 'failed'] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

/**
 * Which status may follow which. `failed` → `succeeded` is the late truth: a charge that we gave up on and
 * that the card network made all the same (it is then refunded).
 */
export const paymentTransitions: Record<PaymentStatus, readonly PaymentStatus[]> = {
  processing: ['requires_action', 'succeeded', 'failed'],
  requires_action: ['processing', 'succeeded', 'failed'],
  succeeded: [],
  failed: ['succeeded'],
};

/** Why no money moved: codes of Stripe where it refused (docs.stripe.com/error-codes), ours where we let go. */
export type PaymentFailure = { code: string; message: string };

const failureSentences: Record<string, string> = {
  insufficient_funds: 'Your card does not have enough money on it for this.',
  expired_card: 'Your card has expired.',
  incorrect_cvc: "Your card's security code is not right.",
  invalid_cvc: "Your card's security code is not right.",
  incorrect_number: 'Your card number is not right.',
  processing_error: 'The card network had a problem with your card just now.',
  authentication_required: 'Your bank wants you to confirm this payment, and it was not confirmed.',
  payment_intent_authentication_failure: 'Your bank could not confirm that it was you.',
  setup_intent_authentication_failure: 'Your bank could not confirm that it was you.',
  setup_intent_unexpected_state: 'Too many cards were refused in this form.',
  not_confirmed: "Your bank's check was not finished.",
  invalid_number: 'Your card number is not right.',
  invalid_expiry_year: "Your card's expiry date is not right.",
  invalid_expiry_month: "Your card's expiry date is not right.",
  card_unusable: 'Your saved card can no longer be used.',
  hold_expired: 'The payment was not finished in time, so your place was let go.',
  given_up: 'You gave up this booking before it was paid, so your place was let go.',
  lesson_cancelled: 'The coach has just cancelled this lesson.',
  lesson_moved: 'The coach has just moved this lesson to another time, so your place was let go.',
  no_answer: 'The card network did not answer in time, so your place was let go.',
};

/** The fields of a card form, by what is wrong with them. */
const fieldOfFailure: Record<string, 'number' | 'expiry' | 'cvc'> = {
  invalid_number: 'number',
  incorrect_number: 'number',
  expired_card: 'expiry',
  invalid_expiry_year: 'expiry',
  invalid_expiry_month: 'expiry',
  invalid_cvc: 'cvc',
  incorrect_cvc: 'cvc',
};

const setupAdvice: Record<string, string> = {
  setup_intent_authentication_failure: 'Try again, or use another card.',
  setup_intent_unexpected_state: 'Start again with a card that your bank knows.',
  not_confirmed: 'Save it again to go through the check, or use another card.',
  insufficient_funds: 'Try another card.',
  expired_card: 'Use another card.',
  processing_error: 'Please try again.',
};

/**
 * Puts a card that was not saved into a customer's words, by Stripe's codes like {@link explainFailure}. `field` is the
 * one that is wrong; null where it is about the card or the bank as a whole.
 */
export function explainSetupFailure(code: string | null | undefined, declineCode?: string | null) {
  const known = [declineCode, code].find((candidate) => candidate && failureSentences[candidate]) ?? '';
  const field = fieldOfFailure[known] ?? null;
  const sentence = failureSentences[known] ?? 'Your bank declined the card.';
  const advice =
    setupAdvice[known] ?? (field ? 'Check it and try again.' : 'Try another card or ask your bank.');
  return { field, message: `${sentence} Your card was not saved. ${advice}` };
}

const failureAdvice: Record<string, string> = {
  insufficient_funds: 'Try another card.',
  expired_card: 'Save another card and try again.',
  incorrect_cvc: 'Save the card again and try once more.',
  invalid_cvc: 'Save the card again and try once more.',
  incorrect_number: 'Save the card again and try once more.',
  card_unusable: 'Save it again, or another one, and try once more.',
  lesson_cancelled: 'Choose another lesson.',
  lesson_moved: 'Look at the new time and book again if it suits you.',
};

/**
 * Puts a payment that did not happen into a customer's words. `code` and `declineCode` are Stripe's; a lost or
 * stolen card reads as a plain decline, because its holder may not be the one who reads it.
 */
export function explainFailure(code: string | null | undefined, declineCode?: string | null): PaymentFailure {
  const known = [declineCode, code].find((candidate) => candidate && failureSentences[candidate]);
  const sentence = failureSentences[known ?? ''] ?? 'Your bank declined the card.';
  const advice =
    failureAdvice[known ?? ''] ?? (known ? 'Please try again.' : 'Try another card or ask your bank.');
  return { code: known ?? 'card_declined', message: `${sentence} You have not been charged. ${advice}` };
}
