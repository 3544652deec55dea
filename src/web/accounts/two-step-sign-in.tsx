import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { describeFailure } from '#web/app/auth-failure.ts';
import { useAuth } from '#web/app/auth-provider.tsx';
import { openAuth } from '#web/app/session.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { toastError, toastSuccess } from '#web/ui/toaster.tsx';
import { type NewApp, SetUpApp } from './set-up-app.tsx';

/** Switches the question for an authenticator app's code on and off. */
export function TwoStepSignIn() {
  const { user } = useAuth();
  const client = useQueryClient();
  const queryKey = ['authenticator_app', user?.id];
  const [newApp, setNewApp] = useState<NewApp | null>(null);
  const [isStarting, setIsStarting] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: async () => {
      const { data: found, error: failure } = await (await openAuth()).mfa.listFactors();
      if (failure) throw new Error(describeFailure(failure).message);
      return { factorId: found.totp[0]?.id ?? null };
    },
  });

  async function start() {
    setIsStarting(true);
    const { data: app, error: failure } = await (await openAuth()).mfa.enroll({ factorType: 'totp' });
    setIsStarting(false);
    if (failure) toastError(describeFailure(failure).message);
    else setNewApp({ factorId: app.id, qrCode: app.totp.qr_code, secret: app.totp.secret });
  }

  async function switchOff(factorId: string) {
    const auth = await openAuth();
    const { error: failure } = await auth.mfa.unenroll({ factorId });
    if (failure) return toastError(describeFailure(failure).message);
    toastSuccess('Two-step sign-in is off', 'Your password alone signs you in.');
    setIsAsking(false);
    await auth.refreshSession();
    await client.invalidateQueries({ queryKey });
  }

  return (
    <section aria-labelledby="two-step" className="flex flex-col items-start gap-4">
      <h2 id="two-step">Two-step sign-in</h2>
      {error && !data && (
        <ErrorState title="We couldn't read this" message={error.message} onRetry={() => void refetch()} />
      )}
      {!error && !data && <Skeleton className="h-10 w-48" />}
      {data && !data.factorId && !newApp && (
        <>
          <p>
            Signing in then takes your password and a code from an authenticator app on your phone. Somebody
            who learns your password can't get in.
          </p>
          <Button onClick={() => void start()} isLoading={isStarting}>
            Set up an authenticator app
          </Button>
        </>
      )}
      {newApp && (
        <SetUpApp
          app={newApp}
          onCancel={() => setNewApp(null)}
          onDone={() => {
            setNewApp(null);
            void client.invalidateQueries({ queryKey });
          }}
        />
      )}
      {data?.factorId && !newApp && (
        <>
          <p>It's on: signing in takes your password and a code from your authenticator app.</p>
          <Button variant="secondary" onClick={() => setIsAsking(true)}>
            Switch off
          </Button>
          <ConfirmDialog
            open={isAsking}
            onOpenChange={setIsAsking}
            title="Switch off two-step sign-in?"
            confirmLabel="Switch off"
            onConfirm={() => void switchOff(data.factorId!)}
          >
            Your password alone will sign you in.
          </ConfirmDialog>
        </>
      )}
    </section>
  );
}
