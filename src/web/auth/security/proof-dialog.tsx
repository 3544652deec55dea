import { useForm } from 'react-hook-form';
import { useRefusal } from '#web/app/api/use-refusal.tsx';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { callAuth } from '#web/app/auth/session.ts';
import { Button } from '#web/ui/button.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { DialogContent } from '#web/ui/overlay/dialog.tsx';
import { DialogForm } from '#web/ui/overlay/form-dialog.tsx';
import { CodeField, readCode } from '../sign-in/code-field.tsx';
import { PasswordInput } from '../sign-in/password-input.tsx';

type ProofDialogProps = {
  title: string;
  description: string;
  /** The authenticator app whose code is asked for; null for the account's password. */
  factorId: string | null;
  /** `action` and `actionRunning`: the confirm button's label, and its label while busy. */
  action: string;
  actionRunning: string;
  isDestructive?: boolean;
  cancel: string;
  onCancel: () => void;
  /** Called after the proof is accepted; the button shows progress until the promise settles. */
  onConfirmed: () => void | Promise<void>;
  /** A link to another kind of proof. */
  other?: { label: string; onChoose: () => void } | undefined;
};

/** Asks for a proof of identity and reports a wrong proof at the field. Must be inside a `Dialog`. */
export function ProofDialog({ title, description, factorId, isDestructive, ...rest }: ProofDialogProps) {
  const { action, actionRunning, cancel, onCancel, onConfirmed, other } = rest;
  const { user } = useAuth();
  const form = useForm<{ code: string; password: string }>();
  const { register, handleSubmit, formState } = form;
  const { errors, isSubmitting } = formState;
  const { showRefusal, notice } = useRefusal(form);

  async function submit({ code, password }: { code: string; password: string }) {
    const { error } = factorId
      ? await callAuth((auth) => auth.mfa.challengeAndVerify({ factorId, code: readCode(code) }))
      : await callAuth((auth) => auth.updateUser({ current_password: password }));
    if (!error) return onConfirmed();
    showRefusal(error, factorId ? 'code' : 'password');
  }

  return (
    <DialogContent title={title} description={description} size="sm">
      <DialogForm
        onSubmit={handleSubmit(submit)}
        cancel={cancel}
        onCancel={onCancel}
        submit={action}
        isDestructive={isDestructive ?? false}
        isPending={isSubmitting}
        pendingLabel={actionRunning}
        className="flex flex-col gap-4"
      >
        {factorId ? (
          <CodeField error={errors.code?.message} register={register} />
        ) : (
          <>
            <input type="hidden" autoComplete="username" value={user?.email ?? ''} readOnly />
            <FormField label="Your password" error={errors.password?.message}>
              <PasswordInput
                autoComplete="current-password"
                {...register('password', { required: 'Enter your password.' })}
              />
            </FormField>
          </>
        )}
        {other && (
          <Button variant="link" className="-mt-2 self-start touch:text-sm" onClick={other.onChoose}>
            {other.label}
          </Button>
        )}
        {notice}
      </DialogForm>
    </DialogContent>
  );
}
