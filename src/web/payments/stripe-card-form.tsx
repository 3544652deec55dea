import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js';
import { type FormEvent, useEffect, useState } from 'react';
import { Spinner } from '#web/ui/spinner.tsx';
import { toastError } from '#web/ui/toaster.tsx';
import { CardFormActions, type CardFormProps } from './card-form-actions.tsx';
import { openStripe } from './stripe.ts';

/** Stripe's Payment Element in our form; the card's number goes from Stripe's frame to Stripe alone. */
export function StripeCardForm({ publishableKey, ...props }: CardFormProps & { publishableKey: string }) {
  const [clientSecret, setClientSecret] = useState<string | null>(null);
  const { openSetup } = props;
  // biome-ignore lint/correctness/useExhaustiveDependencies: one SetupIntent per opened form
  useEffect(() => {
    openSetup().then(setClientSecret, (error: Error) => toastError(error.message));
  }, []);
  if (!clientSecret) return <Spinner label="Loading payment form..." className="py-10" />;
  const isDark = document.documentElement.dataset.theme === 'dark';
  return (
    <Elements
      stripe={openStripe(publishableKey)}
      options={{ clientSecret, appearance: { theme: isDark ? 'night' : 'stripe' }, locale: 'en-GB' }}
    >
      <Fields clientSecret={clientSecret} {...props} />
    </Elements>
  );
}

function Fields({ clientSecret, onSaved, onCancel }: CardFormProps & { clientSecret: string }) {
  const stripe = useStripe();
  const elements = useElements();
  const [isSaving, setIsSaving] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!stripe || !elements) return;
    setIsSaving(true);
    const { error, setupIntent } = await stripe.confirmSetup({
      elements,
      clientSecret,
      redirect: 'if_required',
      confirmParams: { return_url: location.href },
    });
    const method = setupIntent?.payment_method;
    if (error) toastError(error.message ?? 'Failed to add payment method');
    else if (method) await onSaved(typeof method === 'string' ? method : method.id);
    setIsSaving(false);
  };
  return (
    <form onSubmit={submit} className="space-y-4">
      <PaymentElement options={{ layout: 'tabs', wallets: { applePay: 'never', googlePay: 'never' } }} />
      <CardFormActions isSaving={isSaving || !stripe} onCancel={onCancel} />
    </form>
  );
}
