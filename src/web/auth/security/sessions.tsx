import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { authApi, type OpenedSession } from '#domain/auth/contract.ts';
import { formatDay, formatTime } from '#domain/time.ts';
import { invalidate, useApi } from '#web/app/api/api.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { messageOf } from '#web/app/auth/auth-failure.ts';
import { signOut as endSessions } from '#web/app/auth/session.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.ts';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { Loading, Skeleton } from '#web/ui/page/skeleton.tsx';

const momentOf = (instant: string) => `${formatDay(instant, Date.now())}, ${formatTime(instant)}`;

/** Lists a person's signed-in browsers, with buttons to sign out one browser, all other browsers or all. */
export function Sessions() {
  const found = useApi(authApi.listSessions, {});
  return (
    <QueryView
      query={found}
      isPart
      failure="We couldn't load the browsers where you're signed in"
      skeleton={
        <Loading label="Loading the browsers where you're signed in..." className="divide-y border-y">
          {['w-2/5', 'w-1/2'].map((width) => (
            <div key={width} className="space-y-2 py-4">
              <Skeleton className={width} />
              <Skeleton className="h-3 w-3/5" />
            </div>
          ))}
        </Loading>
      }
    >
      {({ sessions }) => <SessionList sessions={sessions} />}
    </QueryView>
  );
}

function SessionList({ sessions }: { sessions: OpenedSession[] }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [leaving, setLeaving] = useState<'others' | 'global' | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  const hasOthers = sessions.some(({ isCurrent }) => !isCurrent);

  async function signOut(scope: 'others' | 'global') {
    setLeaving(scope);
    const { error } = await endSessions(scope);
    setLeaving(null);
    if (error) return toastError(messageOf(error));
    setIsAsking(false);
    if (scope === 'global') return navigate({ to: '/' });
    toastSuccess('Signed out everywhere else', "You're now signed in on this browser only.");
    await invalidate(client, [authApi.listSessions]);
  }

  return (
    <>
      <ul className="divide-y border-y">
        {sessions.map((session) => (
          <SessionRow key={session.sessionId} session={session} />
        ))}
      </ul>
      <div className="mt-4 flex flex-wrap gap-3">
        {hasOthers && (
          <Button
            variant="secondary"
            className="max-sm:w-full"
            onClick={() => void signOut('others')}
            isLoading={leaving === 'others'}
            loadingText="Signing out..."
          >
            Sign out all other browsers
          </Button>
        )}
        <Button
          variant={hasOthers ? 'ghost' : 'secondary'}
          className="max-sm:w-full"
          onClick={() => setIsAsking(true)}
        >
          Sign out everywhere
        </Button>
      </div>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title="Sign out everywhere?"
        confirmLabel="Sign out everywhere"
        isPending={leaving === 'global'}
        pendingLabel="Signing out..."
        onConfirm={() => void signOut('global')}
      >
        You'll be signed out of every browser, including this one. You can sign in again with your password.
      </ConfirmDialog>
    </>
  );
}

function SessionRow({ session }: { session: OpenedSession }) {
  const { sessionId, device, isCurrent, isCodeAwaited, signedInAt, lastSeenAt } = session;
  const end = useApiMutation(authApi.endSession, {
    invalidates: [authApi.listSessions],
    onSuccess: () => toastSuccess('Signed out', `${device} is signed out.`),
  });
  return (
    <li className="flex items-center gap-3 py-4">
      <div className="min-w-0 grow">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          {device}
          {isCurrent && <Badge tone="success">This browser</Badge>}
          {isCodeAwaited && <Badge tone="warning">Waiting for the code</Badge>}
        </p>
        <p className="text-sm text-muted-foreground tabular-nums">
          Signed in {momentOf(signedInAt)}
          {!isCurrent && (
            <span className="block sm:inline sm:before:content-['_·_']">
              Last seen {momentOf(lastSeenAt)}
            </span>
          )}
        </p>
      </div>
      {!isCurrent && (
        <Button
          size="sm"
          variant="secondary"
          aria-label={`Sign out ${device}, signed in ${momentOf(signedInAt)}`}
          isLoading={end.isPending}
          onClick={() => end.mutate({ sessionId }, { onError: (error) => toastError(error.message) })}
        >
          Sign out
        </Button>
      )}
    </li>
  );
}
