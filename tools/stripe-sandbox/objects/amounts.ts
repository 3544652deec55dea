import type { Params } from '../api/params.ts';
import { invalidRequest } from '../api/stripe-error.ts';

/** The smallest charge in minor units and the symbol, per currency. */
const currencies: Record<string, { minimum: number; symbol: string }> = {
  gbp: { minimum: 30, symbol: '£' },
  eur: { minimum: 50, symbol: '€' },
  usd: { minimum: 50, symbol: '$' },
};

/** `£12.50` for 1250 pence. */
export function formatAmount(amount: number, currency: string): string {
  return `${currencies[currency]?.symbol ?? ''}${(amount / 100).toFixed(2)}`;
}

/** Reads an amount (minor units) and its currency. Throws Stripe's error for an invalid value. */
export function readAmount(params: Params) {
  params.requiredText('amount');
  const amount = params.integer('amount')!;
  const currency = params.requiredText('currency').toLowerCase();
  const limits = Object.hasOwn(currencies, currency) ? currencies[currency] : undefined;
  if (!limits) throw invalidRequest(`Invalid currency: ${currency}.`, undefined, 'currency');
  if (amount < limits.minimum) {
    const least = formatAmount(limits.minimum, currency);
    throw invalidRequest(`Amount must be at least ${least} ${currency}`, 'amount_too_small', 'amount');
  }
  if (amount > 99_999_999) {
    throw invalidRequest(
      `Amount must be no more than ${limits.symbol}999,999.99`,
      'amount_too_large',
      'amount',
    );
  }
  return { amount, currency };
}
