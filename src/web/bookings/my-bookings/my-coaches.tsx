import { Link } from '@tanstack/react-router';
import { bookingsApi, type MyCoach } from '#domain/bookings/contract.ts';
import { useApi } from '#web/app/api/api.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Money } from '#web/ui/money.tsx';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { Loading, Skeleton } from '#web/ui/page/skeleton.tsx';
import { CoachBadges } from '#web/verification/coach-badges.tsx';
import { CoachLink } from '../coach-link.tsx';

/** Every coach whose lessons the customer has booked before; active coaches have a link to book another lesson. */
export default function MyCoachesScreen() {
  const query = useApi(bookingsApi.listMyCoaches, {});
  return (
    <>
      <h1>My Coaches</h1>
      <p className="mt-2 text-muted-foreground">Coaches you've booked before.</p>
      <QueryView
        query={query}
        failure="Failed to load your coaches. Please try again."
        skeleton={<CoachesSkeleton />}
        isEmpty={({ coaches }) => coaches.length === 0}
        empty={
          <EmptyState
            title="No coaches yet"
            action={
              <Button asChild>
                <Link to="/customer/discover">Find a lesson</Link>
              </Button>
            }
          >
            Coaches appear here once you've booked with them.
          </EmptyState>
        }
      >
        {({ coaches }) => (
          <ul className="mt-6 grid gap-4 md:grid-cols-2">
            {coaches.map((coach) => (
              <CoachCard key={coach.coachId} coach={coach} />
            ))}
          </ul>
        )}
      </QueryView>
    </>
  );
}

function CoachCard({ coach }: { coach: MyCoach }) {
  const { coachId, coachAddress, fullName, coachType, businessName, bio, hourlyRateCents, isActive } = coach;
  const trade = [coachType, businessName].filter(Boolean).join(' · ');
  return (
    <li>
      <Card className="flex h-full flex-col">
        <div className="flex items-center gap-4">
          <Avatar name={fullName} src={coach.avatarUrl} size="lg" />
          <div className="min-w-0">
            <h2 className="text-lg leading-snug break-words">
              {isActive ? <CoachLink coach={{ coachId, coachName: fullName, coachAddress }} /> : fullName}
            </h2>
            {trade && <p className="mt-0.5 text-sm break-words text-muted-foreground">{trade}</p>}
          </div>
        </div>
        {bio && <p className="mt-4 line-clamp-4 max-w-reading text-sm whitespace-pre-line">{bio}</p>}
        {isActive && <CoachBadges coachId={coachId} className="mt-3" />}
        <dl className="mt-4 mb-5 flex gap-x-8 text-sm">
          <Count count={coach.upcomingSlots} one="upcoming lesson" many="upcoming lessons" />
          <Count count={coach.ownLessons} one="lesson with you" many="lessons with you" />
        </dl>
        <div className="mt-auto flex min-h-11 flex-wrap items-center justify-between gap-3 border-t pt-4">
          {hourlyRateCents !== null && (
            <p className="text-sm text-muted-foreground">
              <Money cents={hourlyRateCents} className="text-lg font-semibold text-foreground" /> an hour
            </p>
          )}
          {isActive ? (
            <Button asChild className="ml-auto">
              <Link to="/customer/discover" search={{ coachId }} aria-label={`Book Lesson with ${fullName}`}>
                Book Lesson
              </Link>
            </Button>
          ) : (
            <p className="text-sm text-muted-foreground">Not taking bookings at the moment</p>
          )}
        </div>
      </Card>
    </li>
  );
}

/** A large figure with its label: "12 upcoming lessons". */
function Count({ count, one, many }: { count: number; one: string; many: string }) {
  return (
    <div>
      <dt className="sr-only">{many}</dt>
      <dd>
        <span className="text-lg font-semibold tabular-nums">{count}</span>{' '}
        <span className="text-muted-foreground">{count === 1 ? one : many}</span>
      </dd>
    </div>
  );
}

function CoachesSkeleton() {
  return (
    <Loading label="Loading your coaches..." className="mt-6 grid gap-4 md:grid-cols-2">
      {['first', 'second'].map((card) => (
        <div key={card} className="space-y-4 rounded-lg border p-4 md:p-5">
          <div className="flex items-center gap-4">
            <Skeleton className="size-16 rounded-full" />
            <Skeleton className="h-5 w-2/5" />
          </div>
          <Skeleton className="w-full" />
          <Skeleton className="w-3/4" />
          <Skeleton className="h-10 w-full" />
        </div>
      ))}
    </Loading>
  );
}
