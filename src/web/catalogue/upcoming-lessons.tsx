import { Link } from '@tanstack/react-router';
import { catalogueApi, type OpenSlot } from '#domain/catalogue/contract.ts';
import { sports } from '#domain/sports.ts';
import { formatDay, formatTime } from '#domain/time.ts';
import { useApi } from '#web/app/api.ts';
import { Money } from '#web/ui/money.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { SportDot } from '#web/ui/sport-dot.tsx';

/** The next three lessons anybody can book, for the landing page; nothing where there are none or none can be read. */
export function UpcomingLessons() {
  const { data, isPending } = useApi(catalogueApi.discoverSlots, { limit: 3 });
  if (isPending) return <UpcomingLessonsSkeleton />;
  if (!data || data.slots.length === 0) return null;
  return (
    <section aria-labelledby="next-lessons" className="mt-12 md:mt-16">
      <h2 id="next-lessons" className="mb-3 text-sm tracking-normal text-muted-foreground">
        Next free places
      </h2>
      <ul className="grid gap-3 md:grid-cols-3 md:gap-4">
        {data.slots.map((slot) => (
          <li key={slot.slotId}>
            <UpcomingLesson slot={slot} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function UpcomingLesson({ slot }: { slot: OpenSlot }) {
  const left = slot.maxCapacity - slot.bookedCount;
  return (
    <Link
      to="/customer/discover"
      search={{ coachId: slot.coachId }}
      className="flex h-full flex-col rounded-lg border bg-card p-4 transition-colors hover:border-input"
    >
      <span className="flex items-baseline justify-between gap-3 text-sm">
        <span className="font-medium tabular-nums">
          {formatDay(slot.startTime, Date.now())}, {formatTime(slot.startTime)}
        </span>
        <Money cents={slot.priceCents} className="font-semibold" />
      </span>
      <span className="mt-2 truncate font-semibold">{slot.title}</span>
      <span className="truncate text-sm text-muted-foreground">
        {slot.coachName}
        {slot.location && ` · ${slot.location.city}`}
      </span>
      <span className="mt-3 flex items-center justify-between gap-3 text-xs text-muted-foreground">
        <span className="flex items-center gap-2">
          <SportDot sport={slot.sport} />
          {sports[slot.sport]}
        </span>
        {slot.maxCapacity > 1 && (
          <span className={left <= 2 ? 'text-warning' : undefined}>
            {left} of {slot.maxCapacity} left
          </span>
        )}
      </span>
    </Link>
  );
}

/** The strip's shape while it is on its way. */
function UpcomingLessonsSkeleton() {
  return (
    <Loading label="Loading the next lessons" className="mt-21 grid gap-3 md:mt-25 md:grid-cols-3 md:gap-4">
      {[1, 2, 3].map((place) => (
        <div key={place} className="h-[8.625rem] space-y-3 rounded-lg border bg-card p-4">
          <Skeleton className="w-1/2" />
          <Skeleton className="h-5 w-3/4" />
          <Skeleton className="w-2/3" />
        </div>
      ))}
    </Loading>
  );
}
