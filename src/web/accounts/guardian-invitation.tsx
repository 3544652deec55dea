import { Link, useLocation, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { guardiansApi } from '#domain/accounts/guardians-contract.ts';
import { type Relation, relationNames } from '#domain/accounts/participants.ts';
import { participantsApi } from '#domain/accounts/participants-contract.ts';
import type { OutputOf } from '#domain/endpoint.ts';
import { formatDay } from '#domain/time.ts';
import { useApi, useApiMutation } from '#web/app/api/api.ts';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { Button } from '#web/ui/button.tsx';
import { CheckboxField } from '#web/ui/form/checkbox.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.tsx';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { PageSpinner } from '#web/ui/page/spinner.tsx';

type Invitation = OutputOf<typeof guardiansApi.getInvitation>;

/** The page that the link of an invitation opens: who invites the person to look after whose bookings. */
export function GuardianInvitationScreen() {
  const { token } = useSearch({ from: '/guardian-invitation' });
  const { user, loading } = useAuth();
  const query = useApi(
    guardiansApi.getInvitation,
    { token: token ?? '' },
    // The result depends on the caller, who may have signed in since.
    { enabled: Boolean(token) && !loading, staleTime: 0 },
  );
  const isOutdated = user !== null && query.data?.obstacle?.code === 'unauthenticated';
  const missing = (
    <Notice title="Invitation not found" action={<ToHome />}>
      {query.error?.message ?? 'This link is incomplete. Open the link from the email again.'}
    </Notice>
  );
  if (!token) return missing;
  return (
    <QueryView
      query={isOutdated ? { ...query, data: undefined } : query}
      isPart
      failure="Failed to load the invitation"
      frame={(failure) => (
        <div className="flex grow flex-col items-center justify-center py-10">{failure}</div>
      )}
      skeleton={<PageSpinner />}
      missing={missing}
    >
      {(invitation) => {
        if (!invitation.obstacle) return <Answer invitation={invitation} token={token} />;
        if (invitation.obstacle.code === 'unauthenticated') return <SignInFirst invitation={invitation} />;
        return (
          <Notice title="You can't use this invitation" action={<ToHome />}>
            {invitation.obstacle.message}
          </Notice>
        );
      }}
    </QueryView>
  );
}

const ToHome = () => (
  <Button asChild variant="secondary">
    <Link to="/">Go to the home page</Link>
  </Button>
);

const describe = ({ invitedBy, expiresAt }: Invitation, participantName = 'a child or another dependant') =>
  `${invitedBy} invites you to look after the bookings of ${participantName} together. You can reply until ${formatDay(expiresAt, Date.now())}.`;

function SignInFirst({ invitation }: { invitation: Invitation }) {
  const next = useLocation({ select: ({ pathname, searchStr }) => pathname + searchStr });
  return (
    <Notice
      title="Become a guardian"
      action={
        <div className="flex flex-wrap justify-center gap-3">
          <Button asChild>
            <Link to="/login" search={{ next }}>
              Sign in to reply
            </Link>
          </Button>
          <Button asChild variant="secondary">
            <Link to="/signup" search={{ next }}>
              Create an account
            </Link>
          </Button>
        </div>
      }
    >
      {describe(invitation)} Use the email address this invitation was sent to.
    </Notice>
  );
}

function Answer({ invitation, token }: { invitation: Invitation; token: string }) {
  const navigate = useNavigate();
  const [relation, setRelation] = useState<Relation>('parent');
  const [isAdult, setIsAdult] = useState(false);
  const onError = (error: Error) => toastError(error.message);
  const leaveWith = (title: string) => () => {
    toastSuccess(title);
    void navigate({ to: '/account', replace: true });
  };
  const invalidates = [participantsApi.list];
  const accept = useApiMutation(guardiansApi.accept, {
    invalidates,
    onSuccess: leaveWith('You are now a guardian'),
  });
  const decline = useApiMutation(guardiansApi.decline, {
    invalidates,
    onSuccess: leaveWith('Invitation declined'),
  });
  const isBusy = accept.isPending || decline.isPending;
  return (
    <Notice
      title={`Become a guardian of ${invitation.participantName}`}
      action={
        <div className="grid gap-4 text-left">
          <FormField label="You are">
            <Select value={relation} onChange={(event) => setRelation(event.target.value as Relation)}>
              {Object.entries(relationNames).map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </Select>
          </FormField>
          <CheckboxField
            label="I'm 18 or over"
            checked={isAdult}
            onChange={(event) => setIsAdult(event.target.checked)}
          />
          <div className="flex flex-wrap justify-center gap-3">
            <Button
              disabled={!isAdult}
              onClick={() => isBusy || accept.mutate({ token, relation, isAdult: true }, { onError })}
              isLoading={accept.isPending}
              loadingText="Accepting..."
            >
              Accept
            </Button>
            <Button
              variant="secondary"
              onClick={() => isBusy || decline.mutate({ token }, { onError })}
              isLoading={decline.isPending}
              loadingText="Declining..."
            >
              Decline
            </Button>
          </div>
        </div>
      }
    >
      {describe(invitation, invitation.participantName ?? undefined)} You'll see and book their lessons, and
      get the same notifications.
    </Notice>
  );
}

function Notice({ title, action, children }: { title: string; action: ReactNode; children: ReactNode }) {
  return (
    <div className="flex grow flex-col items-center justify-center py-10">
      <EmptyState titleAs="h1" title={title} action={action}>
        {children}
      </EmptyState>
    </div>
  );
}
