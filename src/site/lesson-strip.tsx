import type { OpenSlot } from '#domain/catalogue/slots-contract.ts';
import { coachPath } from '#domain/pages.ts';
import { formatDay, formatTime } from '#domain/time.ts';
import { SeatsLeft } from '#web/ui/lesson/seats-left.tsx';
import { Money } from '#web/ui/money.tsx';
import { SportName } from '#web/ui/sport-dot.tsx';

/** The next lessons that can be booked; renders nothing if there are none. */
export function LessonStrip({ lessons, now }: { lessons: readonly OpenSlot[]; now: number }) {
  if (lessons.length === 0) return null;
  return (
    <section aria-labelledby="next-lessons" className="relative mt-14 md:mt-24">
      <h2 id="next-lessons" className="mb-3 flex items-center gap-2.5 text-sm tracking-normal">
        <span aria-hidden className="size-2 rounded-full bg-success-mark" />
        Next available lessons
      </h2>
      <ul className="grid gap-3 md:grid-cols-3 md:gap-4">
        {lessons.map((lesson) => (
          <li
            key={lesson.slotId}
            className="relative flex flex-col rounded-lg border bg-card p-4 transition-colors hover:border-input"
          >
            <p className="flex items-baseline justify-between gap-3 text-sm">
              <span className="font-medium tabular-nums">
                {formatDay(lesson.startTime, now)}, {formatTime(lesson.startTime)}
              </span>
              <Money cents={lesson.priceCents} className="font-semibold" />
            </p>
            <h3 className="mt-2 truncate text-base">
              <a href={lessonAddress(lesson)} className="before:absolute before:inset-0 hover:underline">
                {lesson.title}
              </a>
            </h3>
            <p className="mt-0.5 truncate text-sm leading-6 text-muted-foreground">
              <a
                href={coachPath(lesson)}
                className="relative inline-block leading-6 underline decoration-border underline-offset-4 hover:text-foreground hover:decoration-current"
              >
                {lesson.coachName}
              </a>
              {lesson.location && ` · ${lesson.location.city}`}
            </p>
            <p className="mt-3 flex items-center justify-between gap-3 text-xs text-muted-foreground">
              <SportName sport={lesson.sport} />
              <SeatsLeft isPlain lesson={lesson} />
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

const lessonAddress = ({ slotId }: OpenSlot) => `/customer/discover?lesson=${slotId}`;
