import { type ReactNode, useState } from 'react';
import { useForm } from 'react-hook-form';
import { describeFailure } from '#web/app/auth-failure.ts';
import { useAuth } from '#web/app/auth-provider.tsx';
import { openAuth } from '#web/app/session.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogBody, DialogContent, DialogFooter } from '#web/ui/dialog.tsx';
import { FormField } from '#web/ui/form-field.tsx';
import { toastError } from '#web/ui/toaster.tsx';
import { PasswordInput } from './password-input.tsx';

type Refused = { code?: string | undefined } | null;

/**
 * For acts that the server lets through only a while after the password was given. `runConfirmed` runs one that
 * answers its refusal or null; where the password is wanted it asks in `dialog`, then runs it again. It answers
 * 'given up' when the person closed the dialog.
 */
export function useConfirmation(): {
  dialog: ReactNode;
  runConfirmed: <E extends Refused>(act: () => Promise<E>) => Promise<E | 'given up'>;
} {
  const [answer, setAnswer] = useState<((isConfirmed: boolean) => void) | null>(null);
  const close = (isConfirmed: boolean) => {
    answer?.(isConfirmed);
    setAnswer(null);
  };
  return {
    dialog: (
      <Dialog open={answer !== null} onOpenChange={(open) => !open && close(false)}>
        <ConfirmIdentity onConfirmed={() => close(true)} onCancel={() => close(false)} />
      </Dialog>
    ),
    runConfirmed: async (act) => {
      const refused = await act();
      const isWanted =
        refused?.code === 'reauthentication_needed' || refused?.code === 'confirmation_required';
      if (!isWanted) return refused;
      const isConfirmed = await new Promise<boolean>((resolve) => setAnswer(() => resolve));
      return isConfirmed ? act() : 'given up';
    },
  };
}

function ConfirmIdentity({ onConfirmed, onCancel }: { onConfirmed: () => void; onCancel: () => void }) {
  const { user } = useAuth();
  const { register, handleSubmit, setError, formState } = useForm<{ password: string }>();
  const { errors, isSubmitting } = formState;

  async function submit({ password }: { password: string }) {
    const { error } = await (await openAuth()).updateUser({ current_password: password });
    if (!error) return onConfirmed();
    const { message } = describeFailure(error);
    toastError(message);
    setError('password', { message }, { shouldFocus: true });
  }

  return (
    <DialogContent
      title="Is it you?"
      description="You signed in a while ago. Please enter your password once more to do this."
      size="sm"
    >
      <form noValidate onSubmit={handleSubmit(submit)}>
        <DialogBody>
          <input type="hidden" autoComplete="username" value={user?.email ?? ''} readOnly />
          <FormField label="Your password" error={errors.password?.message}>
            <PasswordInput
              autoComplete="current-password"
              {...register('password', { required: 'Please enter your password.' })}
            />
          </FormField>
        </DialogBody>
        <DialogFooter>
          <Button variant="secondary" onClick={onCancel} disabled={isSubmitting}>
            Cancel
          </Button>
          <Button type="submit" isLoading={isSubmitting} loadingText="Checking...">
            Continue
          </Button>
        </DialogFooter>
      </form>
    </DialogContent>
  );
}
