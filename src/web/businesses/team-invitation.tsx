import { Link, useLocation, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { businessesApi } from '#domain/businesses/contract.ts';
import { invitationsApi } from '#domain/businesses/invitations-contract.ts';
import type { OutputOf } from '#domain/endpoint.ts';
import { formatDay } from '#domain/time.ts';
import { useApi } from '#web/app/api/api.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { Button } from '#web/ui/button.tsx';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.ts';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { PageSpinner } from '#web/ui/page/spinner.tsx';

type Invitation = OutputOf<typeof invitationsApi.getInvitation>;

/**
 * The page that an invitation's link opens: who sent it, for which team, and buttons to accept or decline.
 */
export default function TeamInvitationScreen() {
  const { token } = useSearch({ from: '/team-invitation' });
  const { user, loading } = useAuth();
  const enabled = Boolean(token) && !loading;
  const query = useApi(
    invitationsApi.getInvitation,
    { token: token ?? '' },
    {
      enabled,
      // The result depends on the caller, who may have signed in since.
      staleTime: 0,
    },
  );
  // True if the data was read before the person signed in.
  const isOutdated = user !== null && query.data?.obstacle?.code === 'unauthenticated';
  const toHome = (
    <Button asChild variant="secondary">
      <Link to="/">Go to the home page</Link>
    </Button>
  );
  const missing = (
    <Notice title="Invitation not found" action={toHome}>
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
          <Notice title="You can't use this invitation" action={toHome}>
            {invitation.obstacle.message}
          </Notice>
        );
      }}
    </QueryView>
  );
}

const titleOf = ({ businessName }: Invitation) => `Join ${businessName}`;

function describe({ invitedBy, businessName, expiresAt }: Invitation): string {
  return `${invitedBy} invites you to coach as part of ${businessName}. You can reply until ${formatDay(expiresAt, Date.now())}.`;
}

function SignInFirst({ invitation }: { invitation: Invitation }) {
  const next = useLocation({ select: ({ pathname, searchStr }) => pathname + searchStr });
  return (
    <Notice
      title={titleOf(invitation)}
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
  const { history } = useRouter();
  const { businessName, joinObstacle, application } = invitation;
  const onError = (error: Error) => toastError(error.message);
  const leaveWith = (title: string, to: '/coach/team' | '/dashboard') => () => {
    toastSuccess(title, businessName);
    // The person may have gone to another page in the meantime.
    if (history.location.pathname === '/team-invitation') void navigate({ to, replace: true });
  };
  const teamReads = [businessesApi.listTeam, businessesApi.getBusiness];
  const accept = useApiMutation(invitationsApi.acceptInvitation, {
    invalidates: teamReads,
    onSuccess: leaveWith("You've joined the team", '/coach/team'),
  });
  const decline = useApiMutation(invitationsApi.declineInvitation, {
    invalidates: teamReads,
    onSuccess: leaveWith('Invitation declined', '/dashboard'),
  });
  const isBusy = accept.isPending || decline.isPending;

  return (
    <Notice
      title={titleOf(invitation)}
      action={
        <div className="flex flex-wrap justify-center gap-3">
          {application && (
            <Button asChild>
              <Link to="/become-a-coach">
                {application === 'sent' ? 'Open your application' : 'Apply to become a coach'}
              </Link>
            </Button>
          )}
          {!joinObstacle && (
            <Button
              onClick={() => isBusy || accept.mutate({ token }, { onError })}
              isLoading={accept.isPending}
              loadingText="Joining..."
            >
              Accept
            </Button>
          )}
          <Button
            variant="secondary"
            onClick={() => isBusy || decline.mutate({ token }, { onError })}
            isLoading={decline.isPending}
            loadingText="Declining..."
          >
            Decline
          </Button>
        </div>
      }
    >
      {describe(invitation)}{' '}
      {application === 'sent'
        ? "You've applied to become a coach. We'll email you once you're a coach. Then open this invitation again to accept it."
        : (joinObstacle ?? 'You keep your lessons, your prices and your earnings.')}
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
