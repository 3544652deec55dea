import { useForm } from 'react-hook-form';
import { describeFailure } from '#web/app/auth-failure.ts';
import { openAuth } from '#web/app/session.ts';
import { Button } from '#web/ui/button.tsx';
import { DialogBody, DialogContent, DialogFooter } from '#web/ui/dialog.tsx';
import { toastError } from '#web/ui/toaster.tsx';
import { CodeField, readCode } from './code-field.tsx';

type CodeDialogProps = {
  title: string;
  description: string;
  factorId: string;
  action: string;
  actionRunning: string;
  cancel: string;
  onCancel: () => void;
  onConfirmed: () => void;
  /** Another way to prove who one is. */
  other: { label: string; onChoose: () => void };
};

/** Asks for the authenticator app's code once more; a wrong one is reported at the field. Goes inside a `Dialog`. */
export function CodeDialog({ title, description, factorId, other, ...rest }: CodeDialogProps) {
  const { action, actionRunning, cancel, onCancel, onConfirmed } = rest;
  const { register, handleSubmit, setError, formState } = useForm<{ code: string }>();
  const { errors, isSubmitting } = formState;

  async function submit({ code }: { code: string }) {
    const { error } = await (await openAuth()).mfa.challengeAndVerify({ factorId, code: readCode(code) });
    if (!error) return onConfirmed();
    const { message } = describeFailure(error);
    toastError(message);
    setError('code', { message }, { shouldFocus: true });
  }

  return (
    <DialogContent title={title} description={description} size="sm">
      <form noValidate onSubmit={handleSubmit(submit)}>
        <DialogBody>
          <CodeField error={errors.code?.message} register={register} />
          <Button variant="link" className="mt-4" onClick={other.onChoose}>
            {other.label}
          </Button>
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
