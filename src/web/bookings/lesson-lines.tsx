import type { OpenSlot } from '#domain/catalogue/slots-contract.ts';
import { formatLocation } from '#domain/location-text.ts';
import { formatLessonTime } from '#domain/time.ts';
import { SportDot } from '#web/ui/sport-dot.tsx';

type LessonLinesProps = {
  slot: OpenSlot;
  /** How many seats the customer is about to book. `slot.bookedCount` does not include them. */
  newSeats: number;
};

/** A lesson's title, time, coach and location, and the places taken in a group. */
export function LessonLines({ slot, newSeats }: LessonLinesProps) {
  const taken = Math.min(slot.bookedCount + newSeats, slot.maxCapacity);
  return (
    <div>
      <p className="flex items-center gap-2 text-base font-semibold">
        <SportDot sport={slot.sport} />
        {slot.title}
      </p>
      <p className="mt-1.5 font-medium tabular-nums">
        {formatLessonTime(slot.startTime, slot.endTime, Date.now())}{' '}
        <span className="text-sm font-normal text-muted-foreground">London time</span>
      </p>
      <p className="mt-1 text-sm text-muted-foreground">with {slot.coachName}</p>
      <p className="mt-1 text-sm text-muted-foreground">{formatLocation(slot.location)}</p>
      {slot.lessonType === 'group' && (
        <p className="mt-1 text-sm text-muted-foreground tabular-nums">
          Group lesson: {taken} of {slot.maxCapacity} places taken, including yours
        </p>
      )}
    </div>
  );
}
