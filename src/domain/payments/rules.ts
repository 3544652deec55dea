export const paymentStatuses = ['processing', 'requires_action', 'succeeded', 'failed'] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

/**
 * Allowed status transitions. `failed` → `succeeded` is a charge that Stripe made after we had released its
 * hold; the booking is then confirmed after all, or the charge is refunded.
 */
export const paymentTransitions: Record<PaymentStatus, readonly PaymentStatus[]> = {
  processing: ['requires_action', 'succeeded', 'failed'],
  requires_action: ['processing', 'succeeded', 'failed'],
  succeeded: [],
  failed: ['succeeded'],
};

/** Why a payment failed. `code` is Stripe's (docs.stripe.com/error-codes), or our own, such as `hold_expired`. */
export type PaymentFailure = { code: string; message: string };

const failureSentences: Record<string, string> = {
  insufficient_funds: 'Your card was declined because of insufficient funds.',
  expired_card: 'Your card has expired.',
  incorrect_cvc: "Your card's security code is wrong.",
  invalid_cvc: "Your card's security code is wrong.",
  incorrect_number: 'Your card number is wrong.',
  processing_error: "Stripe couldn't process your card just now.",
  authentication_required: "Your bank asked you to confirm this payment, but it wasn't confirmed.",
  payment_intent_authentication_failure: "Your bank couldn't confirm that it was you.",
  setup_intent_authentication_failure: "Your bank couldn't confirm that it was you.",
  setup_intent_unexpected_state: 'Too many cards were declined in this form.',
  not_confirmed: "Your bank's check wasn't completed.",
  invalid_number: 'Your card number is wrong.',
  invalid_expiry_year: "Your card's expiry date is wrong.",
  invalid_expiry_month: "Your card's expiry date is wrong.",
  card_unusable: 'Your saved card can no longer be used.',
  hold_expired: "You didn't finish paying in time, so we released your place.",
  given_up: 'You cancelled before paying, so we released your place.',
  lesson_cancelled: 'The coach has just cancelled this lesson.',
  lesson_moved: 'The coach has just moved this lesson to another time, so we released your place.',
  no_answer: "Stripe didn't respond in time, so we released your place.",
};

/** The card form's field that is invalid, by failure code. */
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
  setup_intent_unexpected_state: 'Use a card that your bank recognises.',
  not_confirmed: 'Save the card again and complete the check, or use another card.',
  insufficient_funds: 'Try another card.',
  expired_card: 'Use another card.',
  processing_error: 'Please try again.',
};

/**
 * Explains to a customer why a card was not saved, from the same codes as {@link explainFailure}. `field` is the
 * invalid field; null if the failure concerns the card or the bank as a whole.
 */
export function explainSetupFailure(code: string | null | undefined, declineCode?: string | null) {
  const known = [declineCode, code].find((candidate) => candidate && failureSentences[candidate]) ?? '';
  const field = fieldOfFailure[known] ?? null;
  const sentence = failureSentences[known] ?? 'Your bank declined the card.';
  const advice =
    setupAdvice[known] ??
    (field ? 'Check your card details and try again.' : 'Try another card or ask your bank.');
  return { field, message: `${sentence} Your card wasn't saved. ${advice}` };
}

const failureAdvice: Record<string, string> = {
  insufficient_funds: 'Try another card.',
  expired_card: 'Save another card and try again.',
  incorrect_cvc: 'Save the card again and try once more.',
  invalid_cvc: 'Save the card again and try once more.',
  incorrect_number: 'Save the card again and try once more.',
  card_unusable: 'Save it again or save another card, then try once more.',
  lesson_cancelled: 'Choose another lesson.',
  lesson_moved: 'Check the new time and book again if it suits you.',
};

/**
 * Explains a failed payment to a customer. `code` is Stripe's or our own, `declineCode` is Stripe's; a lost or stolen
 * card is reported as an ordinary decline, because the reader may not be the cardholder.
 */
export function explainFailure(code: string | null | undefined, declineCode?: string | null): PaymentFailure {
  const known = [declineCode, code].find((candidate) => candidate && failureSentences[candidate]);
  const sentence = failureSentences[known ?? ''] ?? 'Your bank declined the card.';
  const advice =
    failureAdvice[known ?? ''] ?? (known ? 'Please try again.' : 'Try another card or ask your bank.');
  return { code: known ?? 'card_declined', message: `${sentence} You have not been charged. ${advice}` };
}
