const brandNames: Record<string, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
};

/** "Visa ending 4242", as every screen and email names a card; `brand` is Stripe's name for the brand. */
export function describeCard(card: { brand: string; lastFour: string }): string {
  const name = brandNames[card.brand] ?? card.brand.charAt(0).toUpperCase() + card.brand.slice(1);
  return `${name} ending ${card.lastFour}`;
}

/** How long a bank takes to show a refund. */
export const refundArrival = '5 to 10 days';
