import { useRouter, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useRefusal } from '#web/app/api/use-refusal.tsx';
import { useAuth, useIsVisitor } from '#web/app/auth/auth-provider.tsx';
import { callAuth } from '#web/app/auth/session.ts';
import { Button } from '#web/ui/button.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { toastSuccess } from '#web/ui/overlay/toaster.ts';
import { PageSpinner } from '#web/ui/page/spinner.tsx';
import { AccountCard } from '../sign-in/account-card.tsx';
import { PasswordInput } from '../sign-in/password-input.tsx';
import { SecondStep } from '../sign-in/second-step.tsx';
import { NewPasswordLink } from './new-password-link.tsx';

/** Sets a new password in the session that a recovery email's link opened. */
export default function ResetPasswordScreen() {
  const { user, isCodeAwaited, loading } = useAuth();
  const isVisitor = useIsVisitor();
  const { history } = useRouter();
  const { next } = useSearch({ from: '/reset-password' });
  const form = useForm<{ password: string }>();
  const { register, handleSubmit, formState } = form;
  const { errors, isSubmitting } = formState;
  const { showRefusal, notice } = useRefusal(form);
  const [isLinkNeeded, setIsLinkNeeded] = useState(false);

  if (isVisitor && !isCodeAwaited) {
    // The server, which can't see sessions, renders this for everyone; app.css hides it from signed-in
    // people.
    return (
      <div className="contents" data-for-visitors>
        <NewPasswordLink next={next} />
      </div>
    );
  }
  if (loading) return <PageSpinner />;
  if (isCodeAwaited) return <SecondStep />;
  if (!user || isLinkNeeded) return <NewPasswordLink next={next} />;

  async function submit({ password }: { password: string }) {
    const { error } = await callAuth((auth) => auth.updateUser({ password }));
    if (!error) {
      toastSuccess('Password changed', "You're signed in on this browser and signed out of all others.");
      return history.replace(next ?? '/dashboard');
    }
    // The person came without a link, or opened it more than an hour ago. The server's message asks for a password.
    if (error.code === 'current_password_required') return setIsLinkNeeded(true);
    showRefusal(error);
  }

  return (
    <AccountCard title="Choose a new password" subtitle={<span className="wrap-anywhere">{user.email}</span>}>
      <form noValidate onSubmit={handleSubmit(submit)} className="flex flex-col gap-5">
        {/* Password managers save the new password under this username. */}
        <input type="hidden" autoComplete="username" value={user.email} readOnly />
        <FormField label="New password" hint="At least 8 characters." error={errors.password?.message}>
          <PasswordInput
            autoComplete="new-password"
            {...register('password', {
              required: 'Choose a password.',
              minLength: { value: 8, message: 'Choose a password of at least 8 characters.' },
            })}
          />
        </FormField>
        {notice}
        <Button type="submit" size="lg" isLoading={isSubmitting} loadingText="Saving...">
          Save the new password
        </Button>
      </form>
    </AccountCard>
  );
}
