import { Suspense } from 'react';
import { describeCard } from '#domain/card-labels.ts';
import { paymentsApi, type SavedCard } from '#domain/payments/contract.ts';
import { useApi } from '#web/app/api/api.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { lazyPart } from '#web/ui/lazy-part.ts';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.ts';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { Spinner } from '#web/ui/page/spinner.tsx';
import type { CardFormProps } from './card-form-actions.tsx';

const SandboxCardForm = lazyPart(() => import('./sandbox-card-form.tsx'), 'SandboxCardForm');
const StripeCardForm = lazyPart(() => import('./stripe-card-form.tsx'), 'StripeCardForm');

const waiting = <Spinner label="Loading payment form..." className="py-10" />;

/**
 * The form that saves a card: Stripe's Payment Element, or the simulator's form if Stripe is not configured. Without
 * a publishable key the form stays at "Loading payment form...".
 */
export function CardForm({
  onDone,
  onCancel,
}: {
  onDone: (card: SavedCard) => void;
  onCancel?: (() => void) | undefined;
}) {
  const config = useApi(paymentsApi.getStripeConfig, {}, { staleTime: Number.POSITIVE_INFINITY });
  const setup = useApiMutation(paymentsApi.startCardSetup);
  const save = useApiMutation(paymentsApi.setupPaymentMethod, {
    invalidates: [paymentsApi.getPaymentMethod],
  });
  const props: CardFormProps = {
    openSetup: async () => (await setup.mutateAsync({})).clientSecret,
    onSaved: async (paymentMethodId) => {
      try {
        const { card } = await save.mutateAsync({ paymentMethodId });
        toastSuccess('Card saved', `${describeCard(card)} will be charged for your bookings.`);
        onDone(card);
      } catch (error) {
        toastError((error as Error).message || 'Failed to add payment method');
      }
    },
    onCancel,
  };
  return (
    <QueryView query={config} isPart failure="Failed to load the payment form" skeleton={waiting}>
      {({ publishableKey, isSandbox }) =>
        publishableKey ? (
          <Suspense fallback={waiting}>
            {isSandbox ? (
              <SandboxCardForm {...props} />
            ) : (
              <StripeCardForm publishableKey={publishableKey} {...props} />
            )}
          </Suspense>
        ) : (
          waiting
        )
      }
    </QueryView>
  );
}
