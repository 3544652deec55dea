import { describeAges } from '#domain/catalogue/age-text.ts';
import type { OpenSlot } from '#domain/catalogue/slots-contract.ts';
import { formatDay, formatTimes } from '#domain/time.ts';
import { Button } from '#web/ui/button.tsx';
import { LessonRow } from '#web/ui/lesson/lesson-row.tsx';
import { SeatsLeft } from '#web/ui/lesson/seats-left.tsx';
import { Money } from '#web/ui/money.tsx';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { SportName } from '#web/ui/sport-dot.tsx';

/** One coach's upcoming lessons, each with a booking link. */
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
          New lessons appear here as soon as they're published.
        </EmptyState>
      ) : (
        <>
          <p className="mt-2 text-sm text-muted-foreground">All times are London time.</p>
          <ul className="@container mt-4">
            {lessons.map((lesson) => (
              <BookableLesson key={lesson.slotId} lesson={lesson} now={now} />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function BookableLesson({ lesson, now }: { lesson: OpenSlot; now: number }) {
  const { title, startTime, endTime, sport, location, priceCents, coachId, slotId } = lesson;
  const ages = describeAges(lesson);
  const day = formatDay(startTime, now);
  const time = formatTimes(startTime, endTime);
  return (
    <LessonRow
      className="border-t py-4 @2xl:grid-cols-[8rem_1fr_auto_auto]"
      when={
        <>
          <span className="block font-semibold">{day}</span>
          <span className="text-sm text-muted-foreground">{time}</span>
        </>
      }
      price={<Money cents={priceCents} className="font-semibold" />}
      actions={
        <Button asChild size="sm" className="max-md:w-full">
          <a
            href={`/customer/discover?coachId=${coachId}&book=${slotId}`}
            aria-label={`Book Lesson: ${title}, ${day}, ${time}`}
          >
            Book Lesson
          </a>
        </Button>
      }
    >
      <h3 className="text-base break-words">{title}</h3>
      <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted-foreground">
        <SportName sport={sport} />
        {ages && <span>Ages {ages}</span>}
        {location && (
          <span className="min-w-0 break-words">
            {location.city} · {location.name}
          </span>
        )}
        <SeatsLeft isPlain lesson={lesson} />
      </p>
    </LessonRow>
  );
}
