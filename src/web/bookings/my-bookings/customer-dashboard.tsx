import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, Suspense, useEffect } from 'react';
import { bookingsApi } from '#domain/bookings/contract.ts';
import type { OutputOf } from '#domain/endpoint.ts';
import { formatLessonTime } from '#domain/time.ts';
import { useApi } from '#web/app/api/api.ts';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { Button } from '#web/ui/button.tsx';
import { Section } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { Skeleton, SkeletonRows } from '#web/ui/page/skeleton.tsx';
import { SportDot } from '#web/ui/sport-dot.tsx';
import { BookingStatusLabel } from './booking-status.tsx';
import { NextLesson, NextLessonFrame, NextLessonSkeleton } from './next-lesson.tsx';

/**
 * The signed-in person's figures and latest bookings; for admins, `ofAdmins` appears above them. A failed
 * request is logged and shown as a failure, not as an empty account.
 */
export function CustomerDashboardScreen({ ofAdmins }: { ofAdmins?: ReactNode }) {
  const { user, profile, isCoach, isCustomer, isAdmin } = useAuth();
  const stats = useApi(bookingsApi.getMyStats, {});
  useEffect(() => {
    if (stats.isError) console.error('Failed to fetch customer stats', stats.error);
  }, [stats.isError, stats.error]);
  const hours = (stats.data?.totalMinutes ?? 0) / 60;
  return (
    <>
      <h1>Welcome back, {profile?.fullName || user?.email}!</h1>
      <p className="mt-2 text-muted-foreground">
        {isAdmin ? 'Platform overview and management tools' : 'Your athletic journey continues here'}
      </p>
      {isAdmin && <Suspense fallback={null}>{ofAdmins}</Suspense>}
      {isCustomer && <NextOf stats={stats} />}
      <dl className="mt-8 grid grid-cols-3 divide-x border-y py-5">
        <Figure label="Lessons Booked" value={stats.data?.lessonsBooked} isLoading={stats.isPending} />
        <Figure label="Upcoming" value={stats.data?.upcoming} isLoading={stats.isPending} />
        <Figure
          label="Total Hours"
          value={stats.data && (Number.isInteger(hours) ? hours : hours.toFixed(1))}
          isLoading={stats.isPending}
        />
      </dl>
      <div className="mt-10 grid gap-x-12 md:grid-cols-[1fr_18rem]">
        <Section title="Recent Activity">
          <QueryView
            query={stats}
            isPart
            failure="Failed to load your bookings"
            skeleton={<SkeletonRows count={3} />}
            isEmpty={({ recent }) => recent.length === 0}
            empty={<EmptyState title="No recent activity">Book your first lesson to get started!</EmptyState>}
          >
            {({ recent }) => (
              <ul className="divide-y">
                {recent.map((booking) => (
                  <li
                    key={booking.bookingId}
                    className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-4"
                  >
                    <div className="min-w-0">
                      <Link
                        to="/customer/bookings/$bookingId"
                        params={{ bookingId: booking.bookingId }}
                        className="inline-flex items-center gap-2 font-medium hover:underline"
                      >
                        <SportDot sport={booking.sport} />
                        {booking.title}
                      </Link>
                      <p className="text-sm text-muted-foreground tabular-nums">
                        {formatLessonTime(booking.startTime, booking.endTime, Date.now())}
                        {!booking.participant.isSelf && ` · for ${booking.participant.name}`}
                      </p>
                    </div>
                    <BookingStatusLabel status={booking.status} />
                  </li>
                ))}
              </ul>
            )}
          </QueryView>
        </Section>
        <section className="max-md:order-first max-md:mb-8">
          <h2 className="mb-4">Quick Actions</h2>
          <div className="grid gap-2">
            <Button asChild>
              <Link to="/customer/discover">Book a Lesson</Link>
            </Button>
            <Button asChild variant="secondary">
              <Link to="/my-bookings">View My Bookings</Link>
            </Button>
            {isCoach && (
              <Button asChild variant="secondary">
                <Link to="/coach/dashboard">Coach Dashboard</Link>
              </Button>
            )}
            {isAdmin && (
              <Button asChild variant="secondary">
                <Link to="/admin/panel">Admin Panel</Link>
              </Button>
            )}
            <Button asChild variant="secondary">
              <Link to="/customer/payment-methods">Payment Methods</Link>
            </Button>
          </div>
        </section>
      </div>
    </>
  );
}

/**
 * Shows the next lesson or, while loading and if there is none, a placeholder of the same height, so that the content
 * below does not move. Renders nothing after a failed request.
 */
function NextOf({ stats }: { stats: UseQueryResult<OutputOf<typeof bookingsApi.getMyStats>> }) {
  if (stats.data?.next) return <NextLesson booking={stats.data.next} />;
  if (stats.isPending) return <NextLessonSkeleton />;
  if (!stats.data) return null;
  return (
    <NextLessonFrame>
      <p className="text-sm font-medium text-primary">Next lesson</p>
      <h2 className="mt-1.5">No upcoming lessons</h2>
      <p className="mt-1.5 text-muted-foreground">Your next lesson will appear here.</p>
      <Button asChild variant="secondary" className="mt-4">
        <Link to="/customer/discover">Find a lesson</Link>
      </Button>
    </NextLessonFrame>
  );
}

function Figure({
  label,
  value,
  isLoading,
}: {
  label: string;
  value: number | string | undefined;
  isLoading: boolean;
}) {
  return (
    <div className="flex flex-col-reverse justify-end gap-1 px-4 first:pl-0 last:pr-0 md:px-8">
      <dt className="text-sm text-muted-foreground">{label}</dt>
      <dd className="text-2xl font-semibold tabular-nums">
        {isLoading ? <Skeleton className="my-1 h-7 w-12" /> : (value ?? '–')}
      </dd>
    </div>
  );
}
