import { useForm } from 'react-hook-form';
import { useRefusal } from '#web/app/api/use-refusal.tsx';
import { callAuth } from '#web/app/auth/session.ts';
import { Button } from '#web/ui/button.tsx';
import { toastSuccess } from '#web/ui/overlay/toaster.ts';
import { CodeField, readCode } from '../sign-in/code-field.tsx';

export type NewApp = { factorId: string; qrCode: string; secret: string };

/** Shows the secret for the authenticator app and checks the app's first code. */
export function SetUpApp({
  app,
  onDone,
  onCancel,
}: {
  app: NewApp;
  onDone: () => void;
  onCancel: () => void;
}) {
  const form = useForm<{ code: string }>();
  const { register, handleSubmit, formState } = form;
  const { errors, isSubmitting } = formState;
  const { showRefusal, notice } = useRefusal(form);

  async function submit({ code }: { code: string }) {
    const { error } = await callAuth((auth) =>
      auth.mfa.challengeAndVerify({ factorId: app.factorId, code: readCode(code) }),
    );
    if (!error) {
      toastSuccess('Two-step sign-in is on', "You've been signed out of all other browsers.");
      return onDone();
    }
    showRefusal(error, 'code');
  }

  return (
    <form noValidate onSubmit={handleSubmit(submit)} className="flex w-full flex-col gap-5">
      <p>
        Scan this QR code with your authenticator app, or type in the key. Then enter the code that the app
        shows.
      </p>
      <img src={app.qrCode} alt="QR code with the key below" className="size-48 rounded-md bg-white" />
      <p>
        <span className="block text-sm text-muted-foreground">Key</span>
        <code className="wrap-anywhere">{app.secret.match(/.{1,4}/g)?.join(' ')}</code>
      </p>
      <CodeField error={errors.code?.message} register={register} />
      {notice}
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
