import { useCallback } from 'react';
import { paymentsApi } from '#domain/payments/contract.ts';
import { callApi } from '#web/app/api/api.ts';
import { useChallenge } from './challenge-dialog.tsx';

/**
 * Takes a payment through 3-D Secure without leaving the page. `authenticate` resolves once the bank's dialog has been
 * answered or closed, and rejects if our server or Stripe can't be reached. The server determines how the payment
 * ended. The caller must render `dialog`.
 */
export function usePaymentAuthentication(): {
  authenticate: (clientSecret: string) => Promise<void>;
  dialog: React.ReactNode;
} {
  const { show, dialog } = useChallenge();
  const authenticate = useCallback(
    async (clientSecret: string) => {
      const { publishableKey, isSandbox } = await callApi(paymentsApi.getStripeConfig, {});
      if (isSandbox) {
        const { authenticatePayment } = await import('./sandbox-stripe.ts');
        await authenticatePayment(clientSecret, show);
      } else if (publishableKey) {
        const { openStripe } = await import('./stripe.ts');
        const stripe = await openStripe(publishableKey);
        await stripe.handleNextAction({ clientSecret });
      }
    },
    [show],
  );
  return { authenticate, dialog };
}
