import { Link, useParams } from '@tanstack/react-router';
import Printer from 'lucide-react/icons/printer';
import type { ReactNode } from 'react';
import { formatLocation } from '#domain/location-text.ts';
import { formatDay, formatLessonTime, formatTime } from '#domain/time.ts';
import { AreaGate } from '#web/app/auth/gates.tsx';
import { PersonalPage } from '#web/app/layout/area-layout.tsx';
import { Button } from '#web/ui/button.tsx';
import { BackLink } from '#web/ui/page/back-link.tsx';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { ErrorState } from '#web/ui/page/error-state.tsx';
import { Loading, Skeleton, SkeletonRows } from '#web/ui/page/skeleton.tsx';
import type { Register, RegisterCopy } from './register-copies.ts';
import { RegisterEntryRow } from './register-entry.tsx';
import { RegisterSheet } from './register-sheet.tsx';
import { useRegister } from './use-register.ts';

/**
 * The register of a lesson: who is coming, who to call and what to know. Once opened on the day, it also opens without
 * a connection. Prints on one page if it fits.
 */
export default function RegisterScreen() {
  const { slotId } = useParams({ from: '/coach/registers/$slotId' });
  const { query, copy, register, isOver, isReading } = useRegister(slotId);
  return (
    <AreaGate area="coach" isOpen={copy !== null}>
      <PersonalPage>
        <div className="w-full max-w-3xl">
          <BackLink to="/coach/registers">Registers</BackLink>
          {isOver ? (
            <NotShown title="This register is closed">
              A register can be opened until 24 hours after the lesson.
            </NotShown>
          ) : register ? (
            <OpenRegister register={register}>
              {copy && <CopyNotice copy={copy} isReading={isReading} query={query} />}
            </OpenRegister>
          ) : (
            <NoRegister query={query} />
          )}
        </div>
      </PersonalPage>
    </AreaGate>
  );
}

type Query = ReturnType<typeof useRegister>['query'];

/** Shown while the register is loading, and if it was refused or can't be reached. */
function NoRegister({ query: { error, isFetching, refetch } }: { query: Query }) {
  if (error === null) {
    return (
      <Loading label="Opening the register..." className="mt-6 space-y-4">
        <Skeleton className="h-8 w-3/5" />
        <Skeleton className="w-2/5" />
        <SkeletonRows />
      </Loading>
    );
  }
  if (error.code === 'conflict') return <NotShown title="The register is closed">{error.message}</NotShown>;
  if (error.code === 'unavailable') {
    return (
      <>
        <h1 className="sr-only">Register</h1>
        <ErrorState
          title="The register can't be opened"
          message="There's no copy on this device, so you need a connection to open it."
          onRetry={() => void refetch()}
          isRetrying={isFetching}
        />
      </>
    );
  }
  return <NotShown title="Lesson not found">This isn't one of your team's lessons.</NotShown>;
}

function NotShown({ title, children }: { title: string; children: ReactNode }) {
  return (
    <EmptyState
      titleAs="h1"
      title={title}
      action={
        <Button asChild variant="secondary">
          <Link to="/coach/registers">All registers</Link>
        </Button>
      }
    >
      {children}
    </EmptyState>
  );
}

/** `children`: a notice between the lesson and the list. */
function OpenRegister({ register, children }: { register: Register; children: ReactNode }) {
  const { lesson, entries, visibleUntil } = register;
  const now = Date.now();
  const count = entries.length === 1 ? '1 person' : `${entries.length} people`;
  return (
    <>
      <div className="mt-3 flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
        <div className="min-w-0">
          <h1 className="wrap-anywhere">{lesson.title}</h1>
          <p className="mt-2 font-medium tabular-nums">
            {formatLessonTime(lesson.startTime, lesson.endTime, now)}{' '}
            <span className="text-sm font-normal text-muted-foreground">London time</span>
          </p>
          <p className="mt-1 text-sm text-muted-foreground">
            {lesson.location && `${formatLocation(lesson.location)} · `}with {lesson.coachName}
          </p>
        </div>
        <div className="flex flex-wrap gap-2 print:hidden">
          {Date.parse(lesson.startTime) <= now && (
            <Button asChild variant="secondary">
              <Link to="/coach/registers/$slotId/notes" params={{ slotId: lesson.slotId }}>
                Write notes
              </Link>
            </Button>
          )}
          <Button variant="secondary" onClick={() => window.print()}>
            <Printer aria-hidden />
            Print
          </Button>
        </div>
      </div>
      {children}
      <p className="mt-5 text-sm text-muted-foreground">
        {count}. Families can see that you opened this register. It closes on {formatDay(visibleUntil, now)},{' '}
        {formatTime(visibleUntil)}.
      </p>
      {entries.length === 0 ? (
        <EmptyState title="Nobody has booked" className="py-8">
          People who book this lesson will appear in its register.
        </EmptyState>
      ) : (
        <ul className="mt-4 divide-y border-y">
          {entries.map((entry) => (
            <RegisterEntryRow key={entry.bookingId} entry={entry} />
          ))}
        </ul>
      )}
      <RegisterSheet register={register} />
    </>
  );
}

type CopyNoticeProps = { copy: RegisterCopy; isReading: boolean; query: Query };

/** Says that the screen shows the copy on this device, and whether a newer one is being loaded. */
function CopyNotice({ copy: { savedAt }, isReading, query }: CopyNoticeProps) {
  const { isFetching, isError, refetch } = query;
  const when = `${formatDay(savedAt, Date.now())}, ${formatTime(savedAt)}`;
  return (
    <div
      role="status"
      className="mt-5 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-lg bg-warning-soft px-4 py-3 text-sm text-warning"
    >
      <p className="min-w-0 grow basis-60">
        {isReading && !isError ? 'Looking for changes...' : "We can't reach the server."} This is the register
        as of {when}, from this device.
      </p>
      {isError && (
        <Button
          variant="secondary"
          size="sm"
          isLoading={isFetching}
          loadingText="Trying again..."
          onClick={() => void refetch()}
        >
          Try again
        </Button>
      )}
    </div>
  );
}
