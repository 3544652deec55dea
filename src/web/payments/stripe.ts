import type { Stripe } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';

let loading: Promise<Stripe | null> | null = null;

/** Stripe's own script, fetched from Stripe on first use only: it belongs on pages where a card is shown. */
export function openStripe(publishableKey: string): Promise<Stripe | null> {
  loading ??= loadStripe(publishableKey);
  return loading;
}
