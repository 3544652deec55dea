import { useForm } from 'react-hook-form';
import { useRefusal } from '#web/app/api/use-refusal.tsx';
import { openAuth } from '#web/app/auth/session.ts';
import { Button } from '#web/ui/button.tsx';
import { DialogBody, DialogContent, DialogFooter } from '#web/ui/overlay/dialog.tsx';
import { CodeField, readCode } from '../sign-in/code-field.tsx';

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
  const form = useForm<{ code: string }>();
  const { register, handleSubmit, formState } = form;
  const { errors, isSubmitting } = formState;
  const { showRefusal, waitNotice } = useRefusal(form);

  async function submit({ code }: { code: string }) {
    const { error } = await (await openAuth()).mfa.challengeAndVerify({ factorId, code: readCode(code) });
    if (!error) return onConfirmed();
    showRefusal(error, 'code');
  }

  return (
    <DialogContent title={title} description={description} size="sm">
      <form noValidate onSubmit={handleSubmit(submit)}>
        <DialogBody className="flex flex-col gap-4">
          <CodeField error={errors.code?.message} register={register} />
          <Button variant="link" className="-mt-2 self-start touch:text-sm" onClick={other.onChoose}>
            {other.label}
          </Button>
          {waitNotice}
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
