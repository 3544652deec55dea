import { useCallback } from 'react';
import { paymentsApi } from '#domain/payments/contract.ts';
import { callApi } from '#web/app/api/api.ts';
import { useChallenge } from './challenge-dialog.tsx';

/**
 * Carries a payment through 3-D Secure in place. `authenticate` comes back when the bank's question was answered or
 * closed; how the payment ended is the server's to say. `dialog` is to be rendered.
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
        const { authenticatePayment } = await import('./sandbox-network.ts');
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
