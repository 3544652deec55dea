import { useState } from 'react';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import { CodeDialog } from './code-dialog.tsx';
import { PasswordDialog } from './password-dialog.tsx';

type ConfirmIdentityProps = { isCodeEnough: boolean; onAnswer: (isProved: boolean) => void };

/** Asks for the password, or for the authenticator app's code if the account has one and it is enough. */
export function ConfirmIdentity({ isCodeEnough, onAnswer }: ConfirmIdentityProps) {
  const { user } = useAuth();
  const app = user?.factors?.find(
    ({ factor_type: type, status }) => type === 'totp' && status === 'verified',
  );
  const [isByPassword, setIsByPassword] = useState(!isCodeEnough || !app);
  const shared = {
    title: "Confirm it's you",
    action: 'Continue',
    actionRunning: 'Checking...',
    cancel: 'Cancel',
    onCancel: () => onAnswer(false),
    onConfirmed: () => onAnswer(true),
  };
  return (
    <Dialog open onOpenChange={(isOpen) => isOpen || onAnswer(false)}>
      {isByPassword || !app ? (
        <PasswordDialog
          {...shared}
          description="You signed in a while ago. Enter your password again to continue."
          other={
            isCodeEnough && app
              ? { label: 'Use your authenticator app', onChoose: () => setIsByPassword(false) }
              : undefined
          }
        />
      ) : (
        <CodeDialog
          {...shared}
          factorId={app.id}
          description="You signed in a while ago. Please enter the code your authenticator app shows."
          other={{ label: 'Use your password', onChoose: () => setIsByPassword(true) }}
        />
      )}
    </Dialog>
  );
}
