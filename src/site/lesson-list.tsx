import type { OpenSlot } from '#domain/catalogue/contract.ts';
import { sports } from '#domain/sports.ts';
import { formatDay, formatTimes } from '#domain/time.ts';
import { Button } from '#web/ui/button.tsx';
import { Money } from '#web/ui/money.tsx';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { SportDot } from '#web/ui/sport-dot.tsx';
import { SeatsLeft } from './seats-left.tsx';

/** Upcoming lessons of one coach, each with a link to book it. */
export function LessonList({ lessons, now }: { lessons: readonly OpenSlot[]; now: number }) {
  return (
    <section aria-labelledby="lessons">
      <h2 id="lessons">Upcoming lessons</h2>
      {lessons.length === 0 ? (
        <EmptyState
          title="No free places right now"
          action={
            <Button asChild variant="secondary">
              <a href="/customer/discover">Find another lesson</a>
            </Button>
          }
        >
          New lessons appear here as soon as they are published.
        </EmptyState>
      ) : (
        <>
          <p className="mt-2 text-sm text-muted-foreground">Times are London time.</p>
          <ul className="@container mt-4">
            {lessons.map((lesson) => (
              <LessonRow key={lesson.slotId} lesson={lesson} now={now} />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function LessonRow({ lesson, now }: { lesson: OpenSlot; now: number }) {
  const { title, startTime, endTime, sport, location, priceCents, coachId, slotId } = lesson;
  const day = formatDay(startTime, now);
  const time = formatTimes(startTime, endTime);
  return (
    <li className="grid grid-cols-[1fr_auto] items-center gap-x-4 gap-y-3 border-t py-4 @xl:grid-cols-[8rem_1fr_auto_auto]">
      <p className="tabular-nums">
        <span className="block font-semibold">{day}</span>
        <span className="text-sm text-muted-foreground">{time}</span>
      </p>
      <div className="row-start-2 min-w-0 @xl:col-start-2 @xl:row-start-1">
        <h3 className="text-base break-words">{title}</h3>
        <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted-foreground">
          <span className="inline-flex items-center gap-2">
            <SportDot sport={sport} />
            {sports[sport]}
          </span>
          {location && (
            <span className="min-w-0 break-words">
              {location.city} · {location.name}
            </span>
          )}
          <SeatsLeft lesson={lesson} />
        </p>
      </div>
      <Money cents={priceCents} className="text-right font-semibold @xl:col-start-3 @xl:row-start-1" />
      <Button asChild size="sm" className="self-end @xl:col-start-4 @xl:row-start-1 @xl:self-center">
        <a
          href={`/customer/discover?coachId=${coachId}&book=${slotId}`}
          aria-label={`Book Lesson: ${title}, ${day}, ${time}`}
        >
          Book Lesson
        </a>
      </Button>
    </li>
  );
}
