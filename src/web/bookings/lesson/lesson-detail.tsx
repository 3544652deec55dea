import { Link, useParams } from '@tanstack/react-router';
import Cake from 'lucide-react/icons/cake';
import Calendar from 'lucide-react/icons/calendar';
import MapPin from 'lucide-react/icons/map-pin';
import Users from 'lucide-react/icons/users';
import type { ReactNode } from 'react';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { describeAges } from '#domain/catalogue/age-text.ts';
import { ageDateNames } from '#domain/catalogue/ages.ts';
import { type CoachSlot, type CoachSlotDetail, slotsApi } from '#domain/catalogue/slots-contract.ts';
import { formatDay, formatTimes, wallTimeOf } from '#domain/time.ts';
import { useApi } from '#web/app/api/api.ts';
import { LessonTypeBadge } from '#web/catalogue/lesson-type-badge.tsx';
import { SlotStatusBadge } from '#web/catalogue/slot-status-badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Money } from '#web/ui/money.tsx';
import { BackLink } from '#web/ui/page/back-link.tsx';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { Loading, Skeleton, SkeletonRows } from '#web/ui/page/skeleton.tsx';
import { SportName } from '#web/ui/sport-dot.tsx';
import { Announcements } from './announcements.tsx';
import { AttendeeList } from './attendee-list.tsx';
import { describeNotified } from './booked-people.ts';
import { LessonActions } from './lesson-actions.tsx';
import { NotesLink, RegisterLink } from './register-link.tsx';

/** One of the coach's own lessons: its time, location, details and customers. */
export default function LessonDetailScreen() {
  const { slotId } = useParams({ strict: false }) as { slotId: string };
  const query = useApi(slotsApi.getCoachSlot, { slotId });
  return (
    <QueryView
      query={query}
      failure="Failed to load lesson details"
      frame={(failure) => (
        <>
          <h1 className="sr-only">Lesson</h1>
          {failure}
        </>
      )}
      skeleton={<LessonSkeleton />}
      missing={
        <EmptyState
          titleAs="h1"
          title="Lesson not found"
          action={
            <Button asChild>
              <Link to="/coach/calendar">Back to calendar</Link>
            </Button>
          }
        >
          This lesson was deleted or isn't yours, or the address is incomplete.
        </EmptyState>
      }
    >
      {({ slot }) => <Lesson slot={slot} />}
    </QueryView>
  );
}

function Lesson({ slot }: { slot: CoachSlotDetail }) {
  const { data } = useApi(lessonsApi.listAttendees, { slotId: slot.slotId });
  return (
    <>
      <BackLink to="/coach/calendar" search={{ date: wallTimeOf(slot.startTime).date }}>
        Calendar
      </BackLink>
      <header className="mt-4">
        <p className="flex flex-wrap items-center gap-2 text-sm text-muted-foreground">
          <SportName sport={slot.sport} />
          <LessonTypeBadge lessonType={slot.lessonType} />
        </p>
        <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-2">
          <h1>{slot.title}</h1>
          <SlotStatusBadge status={slot.status} />
        </div>
        {slot.status === 'cancelled' && (
          <p className="mt-3 max-w-reading text-sm">
            You cancelled this lesson{slot.cancellationReason && `: “${slot.cancellationReason}”`}.
            {data && ` ${describeNotified(data.attendees)}`}
          </p>
        )}
        <div className="mt-4 empty:hidden">
          <LessonActions slot={slot} />
        </div>
      </header>
      <div className="mt-6 grid gap-8 md:grid-cols-[minmax(0,1fr)_20rem] md:grid-rows-[auto_1fr] md:gap-x-12 md:gap-y-6">
        <LessonFacts slot={slot} />
        <div className="space-y-8 md:col-start-1 md:row-span-2 md:row-start-1">
          <section aria-labelledby="attendees">
            <div className="mb-3 flex items-baseline justify-between gap-3">
              <h2 id="attendees">Attendees</h2>
              <p className="text-sm tabular-nums">
                <span className="text-lg font-semibold">
                  {slot.bookedCount}/{slot.maxCapacity}
                </span>{' '}
                <span className="text-muted-foreground">booked</span>
              </p>
            </div>
            <div className="flex flex-wrap gap-x-3">
              <RegisterLink slot={slot} />
              <NotesLink slot={slot} />
            </div>
            <AttendeeList slot={slot} />
          </section>
          <Announcements slot={slot} />
        </div>
        {slot.description && (
          <section className="md:col-start-2 md:border-t md:pt-5">
            <h2 className="text-base">About this lesson</h2>
            <p className="mt-2 max-w-reading text-sm whitespace-pre-line text-muted-foreground">
              {slot.description}
            </p>
          </section>
        )}
      </div>
    </>
  );
}

function LessonFacts({ slot }: { slot: CoachSlot }) {
  const { location } = slot;
  const ages = describeAges(slot);
  return (
    <dl className="grid content-start gap-4 md:col-start-2">
      <Fact icon={<Calendar aria-hidden />} name="Date and time">
        <span className="block font-medium">{formatDay(slot.startTime, Date.now())}</span>
        <span className="text-muted-foreground tabular-nums">
          {formatTimes(slot.startTime, slot.endTime)}, London time
        </span>
      </Fact>
      <Fact icon={<MapPin aria-hidden />} name="Location">
        {location ? (
          <>
            <span className="block font-medium">{location.name}</span>
            <span className="text-muted-foreground">
              {location.address && <span className="block">{location.address}</span>}
              {[location.city, location.postcode].filter(Boolean).join(' ')}
            </span>
          </>
        ) : (
          <span className="text-muted-foreground">No location given</span>
        )}
      </Fact>
      <Fact icon={<Users aria-hidden />} name="Participants">
        <span className="block font-medium tabular-nums">
          {slot.bookedCount} of {slot.maxCapacity} booked
        </span>
        <span className="text-muted-foreground">
          <Money cents={slot.priceCents} /> per person
        </span>
      </Fact>
      {ages && (
        <Fact icon={<Cake aria-hidden />} name="Ages">
          <span className="block font-medium">Ages {ages}</span>
          <span className="text-muted-foreground">{ageDateNames[slot.ageDate]}</span>
        </Fact>
      )}
    </dl>
  );
}

function Fact({ icon, name, children }: { icon: ReactNode; name: string; children: ReactNode }) {
  return (
    <div className="flex gap-3 text-sm">
      <dt className="mt-0.5 text-muted-foreground [&_svg]:size-4">
        {icon}
        <span className="sr-only">{name}</span>
      </dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}

function LessonSkeleton() {
  return (
    <Loading label="Loading lesson details..." className="space-y-6">
      <Skeleton className="w-20" />
      <Skeleton className="h-8 w-2/3 md:w-1/3" />
      <div className="grid gap-8 md:grid-cols-[minmax(0,1fr)_20rem] md:gap-12">
        <SkeletonRows label="Loading attendees..." />
        <div className="space-y-4">
          <Skeleton className="h-10 w-full" />
          <Skeleton className="h-10 w-full" />
          <Skeleton className="h-10 w-full" />
        </div>
      </div>
    </Loading>
  );
}
