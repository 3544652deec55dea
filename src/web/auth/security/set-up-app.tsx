import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { type AuthFailure, describeFailure } from '#web/app/auth/auth-failure.ts';
import { openAuth } from '#web/app/auth/session.ts';
import { Button } from '#web/ui/button.tsx';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.tsx';
import { CodeField, readCode } from '../sign-in/code-field.tsx';
import { WaitNotice } from '../sign-in/wait-notice.tsx';

export type NewApp = { factorId: string; qrCode: string; secret: string };

/** Shows the secret for the authenticator app and checks its first code. */
export function SetUpApp({
  app,
  onDone,
  onCancel,
}: {
  app: NewApp;
  onDone: () => void;
  onCancel: () => void;
}) {
  const { register, handleSubmit, setError, formState } = useForm<{ code: string }>();
  const { errors, isSubmitting } = formState;
  const [failure, setFailure] = useState<AuthFailure | null>(null);

  async function submit({ code }: { code: string }) {
    const { error } = await (await openAuth()).mfa.challengeAndVerify({
      factorId: app.factorId,
      code: readCode(code),
    });
    if (!error) {
      toastSuccess('Two-step sign-in is on', 'Every other browser was signed out.');
      return onDone();
    }
    const refused = describeFailure(error);
    setFailure(refused);
    const { message, retryAt } = refused;
    if (retryAt) return;
    toastError(message);
    setError('code', { message }, { shouldFocus: true });
  }

  return (
    <form noValidate onSubmit={handleSubmit(submit)} className="flex w-full flex-col gap-5">
      <p>Scan this with your authenticator app, or type the key into it. Then enter the code it shows.</p>
      <img src={app.qrCode} alt="QR code with the key below" className="size-48 rounded-md bg-white" />
      <p>
        <span className="block text-sm text-muted-foreground">Key</span>
        <code className="wrap-anywhere">{app.secret.match(/.{1,4}/g)?.join(' ')}</code>
      </p>
      <CodeField error={errors.code?.message} register={register} />
      <WaitNotice failure={failure} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" isLoading={isSubmitting} loadingText="Checking...">
          Switch on
        </Button>
        <Button variant="secondary" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
