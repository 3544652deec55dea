import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useRefusal } from '#web/app/api/use-refusal.tsx';
import { callAuth } from '#web/app/auth/session.ts';
import { Button } from '#web/ui/button.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { AccountCard } from '../sign-in/account-card.tsx';
import { CheckYourEmail } from '../sign-in/check-your-email.tsx';

/** Says that a verification link no longer works and sends a new one. `next`: the page to which the new link leads. */
export function NewVerificationLink({ next }: { next: string | undefined }) {
  const form = useForm<{ email: string }>();
  const { register, handleSubmit, formState } = form;
  const { errors, isSubmitting } = formState;
  const { showRefusal, notice } = useRefusal(form);
  const [sentTo, setSentTo] = useState<string | null>(null);

  async function submit(values: { email: string }) {
    const email = values.email.trim();
    const options = { emailRedirectTo: location.origin + (next ?? '/') };
    const { error } = await callAuth((auth) => auth.resend({ type: 'signup', email, options }));
    if (error) showRefusal(error, 'email');
    else setSentTo(email);
  }

  if (sentTo) return <CheckYourEmail isResent email={sentTo} next={next} onChange={() => setSentTo(null)} />;
  return (
    <AccountCard
      title="You need a new link"
      subtitle="Each link can be used once and expires after 24 hours."
    >
      <form noValidate onSubmit={handleSubmit(submit)} className="flex flex-col gap-5">
        <FormField label="Email" hint="The address you signed up with." error={errors.email?.message}>
          <Input
            type="email"
            autoComplete="username"
            {...register('email', { required: 'Enter your email address.' })}
          />
        </FormField>
        {notice}
        <Button type="submit" size="lg" isLoading={isSubmitting} loadingText="Sending...">
          Email me a new link
        </Button>
      </form>
    </AccountCard>
  );
}
