import { Link } from '@tanstack/react-router';
import { earningsApi } from '#domain/payouts/earnings-contract.ts';
import { formatDay, formatTime } from '#domain/time.ts';
import { useApi } from '#web/app/api/api.ts';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { Button } from '#web/ui/button.tsx';
import { Section } from '#web/ui/card.tsx';
import { Money } from '#web/ui/money.tsx';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { SkeletonRows } from '#web/ui/page/skeleton.tsx';
import { waitNames } from './withheld-reason.tsx';

/** Lessons whose payout waits for attendance or a note. For coaches, each links to the page where they add that. */
export function WaitingLessons() {
  const { isCoach } = useAuth();
  const query = useApi(earningsApi.listWaiting, {});
  const now = Date.now();
  return (
    <Section
      title="Waiting for you"
      description="Your business requires attendance or a note before these lessons are paid out. Seven days after a lesson, it can be paid out anyway."
    >
      <QueryView
        query={query}
        failure="Failed to load your waiting lessons"
        isPart
        skeleton={<SkeletonRows count={2} label="Loading your waiting lessons..." />}
      >
        {({ lessons }) => (
          <ul className="divide-y border-y">
            {lessons.map(
              ({
                bookingId,
                slotId,
                title,
                startTime,
                participantName,
                amountCents,
                waitsFor,
                payableAt,
              }) => (
                <li key={bookingId} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
                  <div className="min-w-0 grow basis-56">
                    <p className="font-medium wrap-anywhere">
                      {title}, {formatDay(startTime, now)}
                    </p>
                    <p className="text-sm text-muted-foreground wrap-anywhere">
                      {participantName} · waits for {waitNames[waitsFor]}, until {formatDay(payableAt, now)},{' '}
                      {formatTime(payableAt)} at the latest
                    </p>
                  </div>
                  <Money cents={amountCents} className="font-medium" />
                  {isCoach && (
                    <Button asChild variant="secondary" size="sm">
                      {waitsFor === 'note' ? (
                        <Link to="/coach/registers/$slotId/notes" params={{ slotId }}>
                          Write the note
                        </Link>
                      ) : (
                        <Link to="/coach/lesson/$slotId" params={{ slotId }}>
                          Mark attendance
                        </Link>
                      )}
                    </Button>
                  )}
                </li>
              ),
            )}
          </ul>
        )}
      </QueryView>
    </Section>
  );
}
