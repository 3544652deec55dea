import { Link, useLocation, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useRefusal } from '#web/app/api/use-refusal.tsx';
import { callAuth } from '#web/app/auth/session.ts';
import { Button } from '#web/ui/button.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { AccountCard } from '../sign-in/account-card.tsx';
import { EmailSent } from './email-sent.tsx';

/** Sends an email with a link to choose a new password. Never reveals whether the address has an account. */
export default function ForgotPasswordScreen() {
  const { next } = useSearch({ from: '/forgot-password' });
  const typedEmail = useLocation({ select: ({ state }) => state.email });
  const form = useForm<{ email: string }>({ defaultValues: typedEmail ? { email: typedEmail } : {} });
  const { register, handleSubmit, getValues, formState } = form;
  const { errors, isSubmitting } = formState;
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { showRefusal, notice } = useRefusal(form);

  async function submit(values: { email: string }) {
    const email = values.email.trim();
    const redirectTo = `${location.origin}/reset-password${next ? `?next=${encodeURIComponent(next)}` : ''}`;
    const { error } = await callAuth((auth) => auth.resetPasswordForEmail(email, { redirectTo }));
    if (error) showRefusal(error);
    else setSentTo(email);
  }

  if (sentTo) {
    return (
      <AccountCard title="Check your email" subtitle="Use the link to choose a new password.">
        <EmailSent onChange={() => setSentTo(null)}>
          If <strong className="font-semibold wrap-anywhere">{sentTo}</strong> has an account, a link to
          choose a new password is on its way. It can be used once and expires after an hour. Can't find it?
          Look in your spam folder.
        </EmailSent>
      </AccountCard>
    );
  }
  return (
    <AccountCard title="Forgot your password?" subtitle="We'll email you a link to choose a new one.">
      <form method="post" noValidate onSubmit={handleSubmit(submit)} className="flex flex-col gap-5">
        <FormField label="Email" error={errors.email?.message}>
          <Input
            type="email"
            autoComplete="username"
            {...register('email', { required: 'Enter your email address.' })}
          />
        </FormField>
        {notice}
        <Button type="submit" size="lg" isLoading={isSubmitting} loadingText="Sending...">
          Send the link
        </Button>
      </form>
      <p className="mt-6 text-center text-sm text-muted-foreground">
        Remembered your password?{' '}
        <Button asChild variant="link" className="touch:text-sm">
          <Link to="/login" search={{ next }} state={(known) => ({ ...known, email: getValues('email') })}>
            Sign in
          </Link>
        </Button>
      </p>
    </AccountCard>
  );
}
