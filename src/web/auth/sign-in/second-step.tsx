import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useRefusal } from '#web/app/api/use-refusal.tsx';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { callAuth } from '#web/app/auth/session.ts';
import { Button } from '#web/ui/button.tsx';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.ts';
import { AccountCard } from './account-card.tsx';
import { CodeField, RecoveryCodeField, readCode } from './code-field.tsx';

/**
 * Asks for the authenticator app's code or a recovery code, to complete the sign-in. The surrounding screen
 * then continues automatically.
 */
export function SecondStep({ onDone }: { onDone?: () => void }) {
  const { signOut } = useAuth();
  const [isAppLost, setIsAppLost] = useState(false);
  const form = useForm<{ code: string }>();
  const { register, handleSubmit, reset, formState } = form;
  const { errors, isSubmitting } = formState;
  const { showRefusal, notice } = useRefusal(form);

  async function submit({ code }: { code: string }) {
    const { data, error: unread } = await callAuth((auth) => auth.mfa.listFactors());
    const factorId = data?.totp[0]?.id;
    if (!factorId) {
      if (unread) return showRefusal(unread);
      toastError('Please sign in again.');
      await signOut();
      return;
    }
    const { error } = await callAuth((auth) =>
      auth.mfa.challengeAndVerify({ factorId, code: readCode(code) }),
    );
    if (!error) {
      onDone?.();
      if (isAppLost)
        toastSuccess(
          'Recovery code used',
          "This code can't be used again. Your account page shows how many codes are left.",
        );
      return;
    }
    showRefusal(error, 'code');
  }

  return (
    <AccountCard
      title={isAppLost ? 'Enter a recovery code' : 'Enter your code'}
      subtitle={
        isAppLost
          ? 'Use one of the codes that your account page showed you.'
          : 'The code is in your authenticator app.'
      }
    >
      <form noValidate onSubmit={handleSubmit(submit)} className="flex flex-col gap-5">
        {isAppLost ? (
          <RecoveryCodeField error={errors.code?.message} register={register} />
        ) : (
          <CodeField error={errors.code?.message} register={register} />
        )}
        {notice}
        <Button type="submit" size="lg" isLoading={isSubmitting} loadingText="Checking...">
          Continue
        </Button>
      </form>
      <p className="mt-6 text-center text-sm text-muted-foreground">
        {isAppLost ? 'Got your phone back?' : 'Lost your phone?'}{' '}
        <Button
          variant="link"
          className="touch:text-sm"
          onClick={() => {
            reset();
            setIsAppLost(!isAppLost);
          }}
        >
          {isAppLost ? 'Use your authenticator app' : 'Use a recovery code'}
        </Button>
      </p>
      <p className="mt-2 text-center text-sm text-muted-foreground">
        Not you?{' '}
        <Button variant="link" className="touch:text-sm" onClick={() => void signOut()}>
          Use another account
        </Button>
      </p>
    </AccountCard>
  );
}
