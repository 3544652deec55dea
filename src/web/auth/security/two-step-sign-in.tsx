import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { authApi } from '#domain/auth/contract.ts';
import { invalidate } from '#web/app/api/api.ts';
import { useRefusal } from '#web/app/api/use-refusal.tsx';
import { messageOf } from '#web/app/auth/auth-failure.ts';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { callAuth } from '#web/app/auth/session.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.ts';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { Skeleton } from '#web/ui/page/skeleton.tsx';
import { runConfirmed } from './confirm-identity.tsx';
import { FreshCodes, makeCodes, RecoveryCodes } from './recovery-codes.tsx';
import { type NewApp, SetUpApp } from './set-up-app.tsx';

/** Switches two-step sign-in on and off, and manages its recovery codes. */
export function TwoStepSignIn() {
  const { user, refreshProfile } = useAuth();
  const client = useQueryClient();
  const queryKey = ['authenticator_app', user?.id];
  const [newApp, setNewApp] = useState<NewApp | null>(null);
  const [freshCodes, setFreshCodes] = useState<string[] | null>(null);
  const [isStarting, setIsStarting] = useState(false);
  const part = useRef<HTMLDivElement>(null);
  const { showRefusal, clearRefusal, notice } = useRefusal();
  const query = useQuery({
    queryKey,
    queryFn: async () => {
      const { data: found, error: failure } = await callAuth((auth) => auth.mfa.listFactors());
      if (failure) throw new Error(messageOf(failure));
      return { factorId: found.totp[0]?.id ?? null };
    },
  });

  async function start() {
    setIsStarting(true);
    const refused = await runConfirmed(async () => {
      const { data: app, error: failure } = await callAuth((auth) => auth.mfa.enroll({ factorType: 'totp' }));
      if (app) setNewApp({ factorId: app.id, qrCode: app.totp.qr_code, secret: app.totp.secret });
      return failure;
    });
    setIsStarting(false);
    if (!refused) clearRefusal();
    else if (refused !== 'given up') showRefusal(refused);
  }

  async function finish() {
    setNewApp(null);
    try {
      setFreshCodes(await makeCodes());
    } catch (failure) {
      toastError(`You have no recovery codes yet. ${(failure as Error).message}`);
    }
    await client.invalidateQueries({ queryKey });
    await Promise.all([
      refreshProfile(),
      invalidate(client, [authApi.getRecoveryCodes, authApi.listSessions]),
    ]);
  }

  return (
    <QueryView
      query={query}
      isPart
      failure="We couldn't load your two-step sign-in settings"
      skeleton={<Skeleton className="h-10 w-48" />}
    >
      {({ factorId }) => (
        <div ref={part} tabIndex={-1} className="flex flex-col items-start gap-4 outline-none">
          {!factorId && !newApp && !freshCodes && (
            <>
              <p>
                With two-step sign-in you need your password and a code from an authenticator app on your
                phone. Your password alone isn't enough.
              </p>
              {notice}
              <Button
                variant="secondary"
                className="max-sm:w-full"
                onClick={() => void start()}
                isLoading={isStarting}
              >
                Set up an authenticator app
              </Button>
            </>
          )}
          {newApp && <SetUpApp app={newApp} onCancel={() => setNewApp(null)} onDone={() => void finish()} />}
          {factorId && !newApp && (
            <>
              <p>
                Two-step sign-in is on: you need your password and a code from your authenticator app to sign
                in.
              </p>
              {freshCodes ? (
                <FreshCodes
                  codes={freshCodes}
                  onKept={() => {
                    setFreshCodes(null);
                    part.current?.focus();
                  }}
                />
              ) : (
                <>
                  <RecoveryCodes onMade={setFreshCodes} />
                  <SwitchOff factorId={factorId} queryKey={queryKey} />
                </>
              )}
            </>
          )}
        </div>
      )}
    </QueryView>
  );
}

function SwitchOff({ factorId, queryKey }: { factorId: string; queryKey: unknown[] }) {
  const { refreshProfile } = useAuth();
  const client = useQueryClient();
  const [isAsking, setIsAsking] = useState(false);
  const { showRefusal, notice } = useRefusal();

  async function switchOff() {
    setIsAsking(false);
    const refused = await runConfirmed(
      async () => (await callAuth((auth) => auth.mfa.unenroll({ factorId }))).error,
    );
    if (refused === 'given up') return;
    if (refused) return showRefusal(refused);
    toastSuccess('Two-step sign-in is off', 'You now sign in with just your password.');
    await callAuth((auth) => auth.refreshSession());
    await client.invalidateQueries({ queryKey });
    await refreshProfile();
  }

  return (
    <>
      {notice}
      <Button variant="secondary" onClick={() => setIsAsking(true)}>
        Switch off
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title="Switch off two-step sign-in?"
        confirmLabel="Switch off"
        onConfirm={() => void switchOff()}
      >
        You'll sign in with just your password, and your recovery codes will stop working.
      </ConfirmDialog>
    </>
  );
}
