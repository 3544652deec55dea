import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useProduct } from '#web/app/api/product.ts';
import { useRefusal } from '#web/app/api/use-refusal.tsx';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { Button } from '#web/ui/button.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { toastSuccess } from '#web/ui/overlay/toaster.ts';
import { AccountCard } from './account-card.tsx';
import { CheckYourEmail } from './check-your-email.tsx';
import { PasswordInput } from './password-input.tsx';
import { Redirect } from './redirect.tsx';

type NewAccount = { fullName: string; email: string; password: string };

/** Creates an account. The emailed link starts the session, in this tab too if another tab opens the link. */
export default function SignupScreen() {
  const { user, signUp } = useAuth();
  const { brand } = useProduct();
  const { next } = useSearch({ from: '/signup' });
  const form = useForm<NewAccount>();
  const { register, handleSubmit, formState } = form;
  const { errors, isSubmitting } = formState;
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { showRefusal, notice } = useRefusal(form);
  const isCoach = next?.startsWith('/become-a-coach');

  if (user) return <Redirect next={next} />;

  async function submit(values: NewAccount) {
    const email = values.email.trim();
    const { error } = await signUp({ ...values, email, fullName: values.fullName.trim(), next });
    if (!error) {
      toastSuccess('Account created!', 'Please check your email to verify your account.');
      setSentTo(email);
      return;
    }
    showRefusal(error);
  }

  if (sentTo) return <CheckYourEmail email={sentTo} next={next} onChange={() => setSentTo(null)} />;
  return (
    <AccountCard
      title={isCoach ? 'Join as a coach' : 'Create Account'}
      subtitle={
        isCoach
          ? `First create your account. Then apply to coach with ${brand}: it takes a few minutes.`
          : `Join ${brand} today`
      }
    >
      <form method="post" noValidate onSubmit={handleSubmit(submit)} className="flex flex-col gap-5">
        <FormField label="Full name" error={errors.fullName?.message}>
          <Input
            autoComplete="name"
            {...register('fullName', {
              validate: (name) => name?.trim() !== '' || 'Enter your name.',
              maxLength: { value: 200, message: "Your name can't be longer than 200 characters." },
            })}
          />
        </FormField>
        <FormField label="Email" error={errors.email?.message}>
          <Input
            type="email"
            autoComplete="username"
            {...register('email', {
              required: 'Enter your email address.',
              pattern: {
                value: /^\s*[^\s@]+@[^\s@]+\.[^\s@]+\s*$/,
                message: 'Enter a complete email address, such as name@example.com.',
              },
            })}
          />
        </FormField>
        <FormField label="Password" hint="At least 8 characters." error={errors.password?.message}>
          <PasswordInput
            autoComplete="new-password"
            {...register('password', {
              required: 'Choose a password.',
              minLength: { value: 8, message: 'Choose a password of at least 8 characters.' },
            })}
          />
        </FormField>
        {notice}
        <p className="-mb-1 text-sm text-muted-foreground">
          By creating an account you confirm that you are 18 or over.
        </p>
        <Button type="submit" size="lg" isLoading={isSubmitting} loadingText="Loading...">
          {isCoach ? 'Create account and apply' : 'Create Account'}
        </Button>
      </form>
      <p className="mt-6 text-center text-sm text-muted-foreground">
        Already have an account?{' '}
        <Button asChild variant="link" className="touch:text-sm">
          <Link to="/login" search={{ next }}>
            Sign in
          </Link>
        </Button>
      </p>
    </AccountCard>
  );
}
