import type { Stripe } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import { AppError } from '#domain/errors.ts';

let loading: Promise<Stripe> | undefined;

/**
 * Loads Stripe's own script from Stripe on first use, so that only pages with a card form or a bank's check load it.
 * Throws `unavailable` if it cannot be loaded; the next call tries again.
 */
export function openStripe(publishableKey: string): Promise<Stripe> {
  loading ??= loadStripe(publishableKey).then(
    (stripe) => {
      if (!stripe) throw unreachable();
      return stripe;
    },
    () => {
      loading = undefined;
      throw unreachable();
    },
  );
  return loading;
}

const unreachable = () =>
  new AppError('unavailable', "We couldn't reach Stripe. Check your connection and try again.");
