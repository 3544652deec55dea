import { Link, useLocation, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { guardiansApi } from '#domain/accounts/guardians-contract.ts';
import { type Relation, relationNames, relations } from '#domain/accounts/participants.ts';
import { participantsApi } from '#domain/accounts/participants-contract.ts';
import type { OutputOf } from '#domain/endpoint.ts';
import { formatDay } from '#domain/time.ts';
import { useApi } from '#web/app/api/api.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { Button } from '#web/ui/button.tsx';
import { CheckboxField } from '#web/ui/form/checkbox.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.ts';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { PageSpinner } from '#web/ui/page/spinner.tsx';

type Invitation = OutputOf<typeof guardiansApi.getInvitation>;

/**
 * The page that an invitation's link opens: who sent it, whom it is about, and buttons to accept or decline.
 */
export default function GuardianInvitationScreen() {
  const { token } = useSearch({ from: '/guardian-invitation' });
  const { user, loading } = useAuth();
  const query = useApi(
    guardiansApi.getInvitation,
    { token: token ?? '' },
    {
      enabled: Boolean(token) && !loading,
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

/**
 * Shown to visitors, without the dependant's name: only the owner of the invited address can see whom the
 * invitation is about.
 */
function SignInFirst({ invitation: { invitedBy, expiresAt } }: { invitation: Invitation }) {
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
      {invitedBy} invites you to book lessons for someone you both look after. You can reply until{' '}
      {formatDay(expiresAt, Date.now())}. Use the email address this invitation was sent to.
    </Notice>
  );
}

function Answer({ invitation, token }: { invitation: Invitation; token: string }) {
  const { invitedBy, expiresAt } = invitation;
  const name = invitation.participantName ?? '';
  const navigate = useNavigate();
  const { history } = useRouter();
  const [relation, setRelation] = useState<Relation | ''>('');
  const [isAdult, setIsAdult] = useState(false);
  const [isChecked, setIsChecked] = useState(false);
  const isHere = () => history.location.pathname === '/guardian-invitation';
  const accept = useApiMutation(guardiansApi.accept, {
    invalidates: [participantsApi.list],
    onSuccess: ({ participantId }) => {
      toastSuccess('Invitation accepted', `${name} is in your family list.`);
      // The person may have gone to another page in the meantime.
      if (isHere())
        void navigate({ to: '/account/family/$participantId', params: { participantId }, replace: true });
    },
  });
  const decline = useApiMutation(guardiansApi.decline, {
    onSuccess: () => {
      toastSuccess('Invitation declined');
      if (isHere()) void navigate({ to: '/dashboard', replace: true });
    },
  });
  const isBusy = accept.isPending || decline.isPending;
  const onError = (error: Error) => toastError(error.message);

  function submit() {
    setIsChecked(true);
    if (isBusy || !relation || !isAdult) return;
    accept.mutate({ token, relation, isAdult: true }, { onError });
  }

  return (
    <div className="mx-auto w-full max-w-md px-4 py-10">
      <h1>Become a guardian of {name}</h1>
      <p className="mt-3 text-muted-foreground">
        {invitedBy} invites you to be a guardian of {name}: you'll see {name}'s personal details, care details
        and bookings, and you can book lessons and give or withdraw consents. You can reply until{' '}
        {formatDay(expiresAt, Date.now())}.
      </p>
      <form
        noValidate
        className="mt-6 space-y-5"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <FormField
          label="Your relationship to them"
          error={isChecked && !relation ? 'Choose a relationship.' : undefined}
        >
          <Select value={relation} onChange={({ target }) => setRelation(target.value as Relation | '')}>
            <option value="">Choose</option>
            {relations.map((value) => (
              <option key={value} value={value}>
                {relationNames[value]}
              </option>
            ))}
          </Select>
        </FormField>
        <FormField
          label="Declaration"
          isLabelHidden
          isGroup
          error={isChecked && !isAdult ? 'Confirm that you are 18 or over.' : undefined}
        >
          <CheckboxField
            label={`I'm 18 or over, and I may book lessons and give consent for ${name}.`}
            checked={isAdult}
            onChange={({ target }) => setIsAdult(target.checked)}
          />
        </FormField>
        <div className="flex flex-wrap gap-3">
          <Button type="submit" isLoading={accept.isPending} loadingText="Accepting...">
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
      </form>
    </div>
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
