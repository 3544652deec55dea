import { useState } from 'react';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { askForIdentity } from '#web/app/auth/reauthentication.ts';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import { ProofDialog } from './proof-dialog.tsx';

type Refused = { code?: string | undefined } | null;

/**
 * Runs a call that needs a recent proof of identity and is not a `useApiMutation`, which asks for the proof itself.
 * `run` returns the refusal or null. If the proof is missing, the dialog asks for it and `run` is called again. Returns
 * 'given up' if the person closes the dialog.
 */
export async function runConfirmed<E extends Refused>(run: () => Promise<E>): Promise<E | 'given up'> {
  const refused = await run();
  const isProved = refused && (await askForIdentity(refused));
  if (isProved) return run();
  return isProved === false ? 'given up' : refused;
}

type ConfirmIdentityProps = { isCodeEnough: boolean; onAnswer: (isProved: boolean) => void };

/** Asks for the authenticator app's code if the account has an app and its code is enough, else for the password. */
export function ConfirmIdentity({ isCodeEnough, onAnswer }: ConfirmIdentityProps) {
  const { user } = useAuth();
  const app = user?.factors?.find(
    ({ factor_type: type, status }) => type === 'totp' && status === 'verified',
  );
  const [isByPassword, setIsByPassword] = useState(!isCodeEnough || !app);
  const factorId = isByPassword ? null : (app?.id ?? null);
  const byApp = { label: 'Use your authenticator app', onChoose: () => setIsByPassword(false) };
  const byPassword = { label: 'Use your password', onChoose: () => setIsByPassword(true) };
  return (
    <Dialog open onOpenChange={(isOpen) => isOpen || onAnswer(false)}>
      <ProofDialog
        key={factorId}
        title="Confirm it's you"
        description={
          factorId
            ? 'For your security, enter the code from your authenticator app to continue.'
            : 'For your security, enter your password to continue.'
        }
        factorId={factorId}
        action="Continue"
        actionRunning="Checking..."
        cancel="Cancel"
        onCancel={() => onAnswer(false)}
        onConfirmed={() => onAnswer(true)}
        other={factorId ? byPassword : isCodeEnough && app ? byApp : undefined}
      />
    </Dialog>
  );
}
