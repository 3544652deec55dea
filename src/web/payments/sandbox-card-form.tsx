import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { AppError } from '#domain/errors.ts';
import { useRefusal } from '#web/app/api/use-refusal.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { toastError } from '#web/ui/overlay/toaster.ts';
import { CardFormActions, type CardFormProps } from './card-form-actions.tsx';
import { useChallenge } from './challenge-dialog.tsx';
import { saveTypedCard } from './sandbox-stripe.ts';

const typedCard = z.object({
  number: z
    .string()
    .transform((text) => text.replace(/\D/g, ''))
    .pipe(
      z
        .string()
        .min(12, 'Enter the long number on the front of the card.')
        .max(19, 'This card number is too long.'),
    ),
  expiry: z
    .string()
    .regex(/^\s*(0?[1-9]|1[0-2])\s*\/\s*(\d{2}|\d{4})\s*$/, 'Enter the month and year, such as 08/29.'),
  cvc: z.string().regex(/^\d{3,4}$/, 'Enter the 3 or 4 digits of the security code.'),
});

const inFours = (typed: string) =>
  typed
    .replace(/\D/g, '')
    .slice(0, 19)
    .replace(/(.{4})(?=.)/g, '$1 ');
const withSlash = (typed: string) => {
  const digits = typed.replace(/\D/g, '').slice(0, 4);
  return digits.length > 2 ? `${digits.slice(0, 2)}/${digits.slice(2)}` : digits;
};

/** The demo's card form. It accepts Stripe's test cards; never enter a real card. */
export function SandboxCardForm({ openSetup, onSaved, onCancel }: CardFormProps) {
  const { show, dialog } = useChallenge();
  const form = useForm({
    resolver: zodResolver(typedCard),
    defaultValues: { number: '', expiry: '', cvc: '' },
  });
  const { register, handleSubmit, setError, setValue, formState } = form;
  const { showRefusal } = useRefusal(form);
  const { errors, isSubmitting } = formState;
  const submit = handleSubmit(async (card) => {
    try {
      await onSaved(await saveTypedCard(card, await openSetup(), show));
    } catch (error) {
      if (!(error instanceof AppError)) return toastError('Failed to add payment method');
      if (error.fields) showRefusal(error);
      else setError('root', { message: error.message });
    }
  });
  return (
    <form onSubmit={submit} noValidate className="space-y-4">
      <p className="rounded-md bg-muted px-3 py-2 text-sm text-muted-foreground">
        This is a demo: use the test card <span className="tabular-nums">4242 4242 4242 4242</span>, or{' '}
        <span className="tabular-nums">4000 0027 6000 3184</span> to try the bank's security check. Any future
        date and any code will work.
      </p>
      <FormField label="Card number" error={errors.number?.message}>
        <Input
          {...register('number', { onChange: (e) => setValue('number', inFours(e.target.value)) })}
          inputMode="numeric"
          autoComplete="cc-number"
          placeholder="4242 4242 4242 4242"
          className="tabular-nums"
        />
      </FormField>
      <div className="grid grid-cols-2 gap-4">
        <FormField label="Expiry date" error={errors.expiry?.message}>
          <Input
            {...register('expiry', { onChange: (e) => setValue('expiry', withSlash(e.target.value)) })}
            inputMode="numeric"
            autoComplete="cc-exp"
            placeholder="MM/YY"
            className="tabular-nums"
          />
        </FormField>
        <FormField label="Security code" error={errors.cvc?.message}>
          <Input
            {...register('cvc')}
            inputMode="numeric"
            autoComplete="cc-csc"
            placeholder="CVC"
            maxLength={4}
            className="tabular-nums"
          />
        </FormField>
      </div>
      <CardFormActions isSaving={isSubmitting} problem={errors.root?.message} onCancel={onCancel} />
      {dialog}
    </form>
  );
}
