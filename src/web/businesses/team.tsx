import { Link } from '@tanstack/react-router';
import { businessesApi } from '#domain/businesses/contract.ts';
import { ownersOnlyMessage, refuseManageTeam } from '#domain/businesses/rules.ts';
import type { OutputOf } from '#domain/endpoint.ts';
import { useApi } from '#web/app/api/api.ts';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { Button } from '#web/ui/button.tsx';
import { Section } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { SkeletonRows } from '#web/ui/page/skeleton.tsx';
import { LeaveTeam } from './leave-team.tsx';
import { TeamInvitations } from './team-invitations.tsx';
import { TeamMembers } from './team-members.tsx';

/** The members of the coach's business, for owners to manage, and the button to leave the team. */
export default function TeamScreen() {
  const query = useApi(businessesApi.listTeam, {});
  return (
    <>
      <h1 className="mb-8">Team</h1>
      <QueryView
        query={query}
        failure="Failed to load business data"
        skeleton={<SkeletonRows label="Loading your team..." />}
      >
        {({ team }) =>
          team ? (
            <Team team={team} />
          ) : (
            <EmptyState
              title="No business yet"
              action={
                <Button asChild>
                  <Link to="/coach/business">Set up your business</Link>
                </Button>
              }
            >
              A team belongs to a business. Set up your business and invite coaches, or open the link in your
              invitation.
            </EmptyState>
          )
        }
      </QueryView>
    </>
  );
}

type TeamData = NonNullable<OutputOf<typeof businessesApi.listTeam>['team']>;

function Team({ team }: { team: TeamData }) {
  const { user } = useAuth();
  const me = team.members.find(({ coachId }) => coachId === user?.id);
  if (!me) return null;
  const isOwner = refuseManageTeam(me) === null;
  return (
    <>
      <Section
        title={team.businessName}
        description={isOwner ? undefined : ownersOnlyMessage}
        actions={
          <>
            <Button asChild variant="secondary">
              <Link to="/coach/progress">Skills and payouts</Link>
            </Button>
            <Button asChild variant="secondary">
              <Link to="/welfare-concerns">Welfare concerns</Link>
            </Button>
          </>
        }
      >
        <TeamMembers me={me} members={team.members} />
      </Section>
      {isOwner && <TeamInvitations businessName={team.businessName} invitations={team.invitations} />}
      <LeaveTeam businessName={team.businessName} me={me} members={team.members} />
    </>
  );
}
