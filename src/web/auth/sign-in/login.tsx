import { Link, useLocation, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useRefusal } from '#web/app/api/use-refusal.tsx';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { callAuth } from '#web/app/auth/session.ts';
import { Button } from '#web/ui/button.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { toastSuccess } from '#web/ui/overlay/toaster.ts';
import { ResendVerification } from '../emailed-links/resend-verification.tsx';
import { AccountCard } from './account-card.tsx';
import { DemoSignIns } from './demo-sign-ins.tsx';
import { PasswordInput } from './password-input.tsx';
import { Redirect } from './redirect.tsx';
import { SecondStep } from './second-step.tsx';

type Credentials = { email: string; password: string };

/** Signs in and goes to the requested page, or else to the dashboard. */
export function LoginScreen() {
  const { user, isCodeAwaited, signIn } = useAuth();
  const { next } = useSearch({ from: '/login' });
  const typedEmail = useLocation({ select: ({ state }) => state.email });
  const form = useForm<Credentials>({ defaultValues: typedEmail ? { email: typedEmail } : {} });
  const { register, handleSubmit, setError, setFocus, setValue, getValues, formState } = form;
  const { errors, isSubmitting } = formState;
  const [unverified, setUnverified] = useState<string | null>(null);
  const { showRefusal, notice } = useRefusal(form);

  const welcome = () => toastSuccess('Welcome back!', "You've been signed in successfully.");

  if (user) return <Redirect next={next} />;
  if (isCodeAwaited) return <SecondStep onDone={welcome} />;

  async function submit({ email, password }: Credentials) {
    const { error } = await signIn(email.trim(), password);
    if (!error) {
      const { data } = await callAuth((auth) => auth.mfa.getAuthenticatorAssuranceLevel());
      if (data?.currentLevel === data?.nextLevel) welcome();
      return;
    }
    showRefusal(error);
    setUnverified(error.code === 'email_not_confirmed' ? email.trim() : null);
    if (error.code === 'invalid_credentials') {
      // The message must not reveal whether the email address or the password is wrong.
      setError('password', { message: 'The email or password is wrong. Check both and try again.' });
    }
  }

  return (
    <AccountCard title="Welcome Back" subtitle="Sign in to your account">
      <form method="post" noValidate onSubmit={handleSubmit(submit)} className="flex flex-col gap-5">
        <FormField label="Email" error={errors.email?.message}>
          <Input
            type="email"
            autoComplete="username"
            {...register('email', { required: 'Enter your email address.' })}
          />
        </FormField>
        <FormField label="Password" error={errors.password?.message}>
          <PasswordInput
            autoComplete="current-password"
            {...register('password', { required: 'Enter your password.' })}
          />
        </FormField>
        <Button asChild variant="link" className="-mt-2 self-start touch:text-sm">
          <Link
            to="/forgot-password"
            search={{ next }}
            state={(known) => ({ ...known, email: getValues('email') })}
          >
            Forgot your password?
          </Link>
        </Button>
        {notice}
        {unverified && <ResendVerification email={unverified} next={next} />}
        <Button type="submit" size="lg" isLoading={isSubmitting} loadingText="Loading...">
          Sign In
        </Button>
      </form>
      <p className="mt-6 text-center text-sm text-muted-foreground">
        New here?{' '}
        <Button asChild variant="link" className="touch:text-sm">
          <Link to="/signup" search={{ next }}>
            Create an account
          </Link>
        </Button>
      </p>
      <DemoSignIns
        onPick={(email, password) => {
          setValue('email', email, { shouldValidate: true });
          setValue('password', password, { shouldValidate: true });
          setFocus('password');
        }}
      />
    </AccountCard>
  );
}
