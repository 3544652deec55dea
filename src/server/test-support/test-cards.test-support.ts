/** Numbers of Stripe's test cards, by behaviour. */
export const testCards = {
  good: '4242424242424242',
  mastercard: '5555555555554444',
  /** Needs 3-D Secure when it is saved, and when a customer who is present pays. */
  asksOnSaving: '4000002500003155',
  asksAlways: '4000002760003184',
  asksThenInsufficient: '4000008260003178',
  declinedOnSaving: '4000000000000002',
  declinedOnPaying: '4000000000000341',
} as const;

/** A card as its owner types it, valid until August of the year after next. */
export const cardOfNumber = (number: string) =>
  ({ number, exp_month: 8, exp_year: new Date().getFullYear() + 2, cvc: '123' }) as const;
