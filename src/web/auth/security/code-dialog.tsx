import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { type AuthFailure, describeFailure } from '#web/app/auth/auth-failure.ts';
import { openAuth } from '#web/app/auth/session.ts';
import { Button } from '#web/ui/button.tsx';
import { DialogBody, DialogContent, DialogFooter } from '#web/ui/overlay/dialog.tsx';
import { toastError } from '#web/ui/overlay/toaster.tsx';
import { CodeField, readCode } from '../sign-in/code-field.tsx';
import { WaitNotice } from '../sign-in/wait-notice.tsx';

type CodeDialogProps = {
  title: string;
  description: string;
  factorId: string;
  action: string;
  actionRunning: string;
  cancel: string;
  onCancel: () => void;
  onConfirmed: () => void;
  /** Another way to prove one's identity. */
  other: { label: string; onChoose: () => void };
};

/** Asks for the authenticator app's code again; a wrong one is reported at the field. Goes inside a `Dialog`. */
export function CodeDialog({ title, description, factorId, other, ...rest }: CodeDialogProps) {
  const { action, actionRunning, cancel, onCancel, onConfirmed } = rest;
  const { register, handleSubmit, setError, formState } = useForm<{ code: string }>();
  const { errors, isSubmitting } = formState;
  const [failure, setFailure] = useState<AuthFailure | null>(null);

  async function submit({ code }: { code: string }) {
    const { error } = await (await openAuth()).mfa.challengeAndVerify({ factorId, code: readCode(code) });
    const refused = error && describeFailure(error);
    setFailure(refused);
    if (!refused) return onConfirmed();
    const { message, retryAt } = refused;
    if (retryAt) return;
    toastError(message);
    setError('code', { message }, { shouldFocus: true });
  }

  return (
    <DialogContent title={title} description={description} size="sm">
      <form noValidate onSubmit={handleSubmit(submit)}>
        <DialogBody className="flex flex-col gap-4">
          <CodeField error={errors.code?.message} register={register} />
          <Button variant="link" className="-mt-2 self-start touch:text-sm" onClick={other.onChoose}>
            {other.label}
          </Button>
          <WaitNotice failure={failure} />
        </DialogBody>
        <DialogFooter>
          <Button variant="secondary" onClick={onCancel} disabled={isSubmitting}>
            {cancel}
          </Button>
          <Button type="submit" isLoading={isSubmitting} loadingText={actionRunning}>
            {action}
          </Button>
        </DialogFooter>
      </form>
    </DialogContent>
  );
}
