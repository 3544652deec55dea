import type { Booking } from '#domain/bookings/contract.ts';
import { formatLessonTime } from '#domain/time.ts';
import { CornerArc } from '#web/ui/pitch-lines.tsx';

/** "in 3 days", "in 5 hours", "in 20 minutes". */
function describeWait(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000));
  const unit = (count: number, word: string) => `in ${count} ${word}${count === 1 ? '' : 's'}`;
  if (minutes < 90) return unit(minutes, 'minute');
  const hours = Math.round(minutes / 60);
  return hours < 36 ? unit(hours, 'hour') : unit(Math.round(hours / 24), 'day');
}

/** The lesson that comes next, large, with how long it still is; nothing where none is booked. */
export function NextLesson({ bookings }: { bookings: Booking[] }) {
  const now = Date.now();
  const next = bookings
    .filter((booking) => booking.status === 'booked' && Date.parse(booking.startTime) > now)
    .sort((a, b) => Date.parse(a.startTime) - Date.parse(b.startTime))[0];
  if (!next) return null;
  return (
    <section
      aria-label="Next lesson"
      className="relative mt-6 overflow-hidden rounded-lg border bg-card px-5 py-5 md:px-6"
    >
      <CornerArc className="absolute -right-4 -bottom-4 rotate-180" />
      <p className="text-sm font-medium text-primary">
        Next lesson {describeWait(Date.parse(next.startTime) - now)}
      </p>
      <p className="mt-1 text-xl font-semibold tracking-tight">{next.title}</p>
      <p className="mt-1 tabular-nums">
        {formatLessonTime(next.startTime, next.endTime, now)}{' '}
        <span className="text-muted-foreground">London time</span>
      </p>
      <p className="mt-1 text-sm text-muted-foreground">
        with {next.coachName}
        {next.location &&
          ` · ${[next.location.name, next.location.address, next.location.city, next.location.postcode].filter(Boolean).join(', ')}`}
      </p>
    </section>
  );
}
