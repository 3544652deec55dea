import { type ReactNode, useState } from 'react';
import { Dialog } from '#web/ui/dialog.tsx';
import { PasswordDialog } from './password-dialog.tsx';

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
        <PasswordDialog
          title="Is it you?"
          description="You signed in a while ago. Please enter your password once more to do this."
          action="Continue"
          actionRunning="Checking..."
          cancel="Cancel"
          onCancel={() => close(false)}
          onConfirmed={() => close(true)}
        />
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
