import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useRef, useState } from 'react';
import { explainSetupFailure } from '#domain/payments/rules.ts';
import { toastError } from '#web/ui/overlay/toaster.ts';
import { ErrorState } from '#web/ui/page/error-state.tsx';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { Spinner } from '#web/ui/page/spinner.tsx';
import { useThemeChoice } from '#web/ui/page/theme-switch.tsx';

import { CardFormActions, type CardFormProps } from './card-form-actions.tsx';
import { openStripe } from './stripe.ts';

/** Stripe's Payment Element in our form; the card number only ever goes from Stripe's frame to Stripe. */
export function StripeCardForm({ publishableKey, ...props }: CardFormProps & { publishableKey: string }) {
  const formId = useId();
  const [theme] = useThemeChoice();
  // One SetupIntent per opened form.
  const opened = useQuery({
    queryKey: ['stripe-card-form', formId],
    queryFn: async () => {
      const [stripe, clientSecret] = await Promise.all([openStripe(publishableKey), props.openSetup()]);
      return { stripe, clientSecret };
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    structuralSharing: false,
  });
  const isDark =
    theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
  return (
    <QueryView
      query={opened}
      isPart
      failure="Failed to load the payment form"
      skeleton={<Spinner label="Loading payment form..." className="py-10" />}
    >
      {({ stripe, clientSecret }) => (
        <Elements
          // A new SetupIntent needs new fields.
          key={clientSecret}
          stripe={stripe}
          options={{ clientSecret, appearance: { theme: isDark ? 'night' : 'stripe' }, locale: 'en-GB' }}
        >
          <Fields {...props} onRestart={() => void opened.refetch()} />
        </Elements>
      )}
    </QueryView>
  );
}

function Fields({ onSaved, onCancel, onRestart }: CardFormProps & { onRestart: () => void }) {
  const stripe = useStripe();
  const elements = useElements();
  const [isSaving, setIsSaving] = useState(false);
  const [isReady, setIsReady] = useState(false);
  const [hasFailed, setHasFailed] = useState(false);
  const [problem, setProblem] = useState<string>();
  // A SetupIntent can be confirmed only once. If our server then fails to save the card, the next attempt repeats
  // only that step.
  const confirmedId = useRef<string>(undefined);

  const confirm = async () => {
    if (!stripe || !elements) return undefined;
    const { error, setupIntent } = await stripe.confirmSetup({
      elements,
      redirect: 'if_required',
      confirmParams: { return_url: location.href },
    });
    // Field errors are shown at the field, in Stripe's frame.
    if (error && error.type !== 'validation_error') {
      setProblem(explainSetupFailure(error.code, error.decline_code).message);
    }
    // Stripe accepts no further cards for this SetupIntent.
    if (error?.code === 'setup_intent_unexpected_state') setHasFailed(true);
    const method = setupIntent?.payment_method;
    return typeof method === 'string' ? method : method?.id;
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isSaving || !isReady) return;
    setIsSaving(true);
    setProblem(undefined);
    try {
      confirmedId.current ??= await confirm();
      if (confirmedId.current) await onSaved(confirmedId.current);
    } catch {
      toastError('Failed to add payment method');
    } finally {
      setIsSaving(false);
    }
  };
  if (hasFailed) {
    return (
      <ErrorState
        title="The payment form couldn't be used"
        message={problem ?? "We couldn't load the form from Stripe. Check your connection and try again."}
        onRetry={onRestart}
      />
    );
  }
  return (
    <form onSubmit={(event) => void submit(event)} className="space-y-4">
      {!isReady && <Spinner label="Loading payment form..." className="py-10" />}
      <PaymentElement
        // Cards only: a payment method saved by a wallet could not be charged later.
        options={{ layout: 'tabs', wallets: { applePay: 'never', googlePay: 'never', link: 'never' } }}
        onReady={() => setIsReady(true)}
        onLoadError={() => setHasFailed(true)}
      />
      <CardFormActions isSaving={isSaving} isReady={isReady} problem={problem} onCancel={onCancel} />
    </form>
  );
}
