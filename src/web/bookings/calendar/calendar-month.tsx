import type { CoachSlot } from '#domain/catalogue/slots-contract.ts';
import { type PlainDate, wallTimeOf } from '#domain/time.ts';
import { MonthGrid } from '#web/ui/calendar/month-grid.tsx';
import { Skeleton } from '#web/ui/page/skeleton.tsx';
import { countLessons } from '../lesson/booked-people.ts';
import { formatLongDay, formatWeekday, monthOf } from './calendar-dates.ts';
import { groupByDate } from './coach-slots.ts';
import { SlotBlock } from './slot-block.tsx';

const hint =
  'Use the arrow keys to move between days and lessons, and Page Up or Page Down for the previous or next month. Press Enter on a day or a lesson to open it.';

type CalendarMonthProps = {
  /** Any date of the month. */
  date: PlainDate;
  label: string;
  /** Undefined while loading. */
  slots: readonly CoachSlot[] | undefined;
  /** The current time, in ms since 1970. */
  now: number;
  onOpenDay: (date: PlainDate) => void;
  onAdd: (date: PlainDate) => void;
  onLeave: (direction: 'previous' | 'next') => void;
};

/** A month's lessons: at most three per day, with a button for the rest. */
export function CalendarMonth({ date, label, slots, now, onOpenDay, onAdd, onLeave }: CalendarMonthProps) {
  const { date: today } = wallTimeOf(now);
  const dates = monthOf(date);
  const byDate = groupByDate(slots ?? []);
  return (
    <div className="relative">
      <MonthGrid
        label={label}
        hint={hint}
        home={today.slice(0, 7) === date.slice(0, 7) ? today : `${date.slice(0, 7)}-01`}
        weekdays={dates
          .slice(0, 7)
          .map((day) => ({ short: formatWeekday(day, 'short'), long: formatWeekday(day, 'long') }))}
        days={dates.map((day) => ({
          date: day,
          label: formatLongDay(day, today),
          isInMonth: day.slice(0, 7) === date.slice(0, 7),
          isToday: day === today,
          items: byDate.get(day) ?? [],
          canAdd: day >= today,
        }))}
        isBusy={!slots}
        keyOf={({ slotId }) => slotId}
        renderItem={(slot, stop) => <SlotBlock slot={slot} now={now} height={20} stop={stop} />}
        formatCount={countLessons}
        onOpenDay={onOpenDay}
        onAdd={onAdd}
        onLeave={onLeave}
      />
      {!slots && (
        <div
          role="status"
          className="pointer-events-none absolute inset-0 grid animate-fade-in grid-cols-7 gap-x-2 overflow-hidden px-1 pt-18 [animation-delay:200ms] [animation-fill-mode:both]"
          style={{ gridAutoRows: '7.5rem' }}
        >
          <span className="sr-only">Loading lessons...</span>
          {dates.slice(0, 34).map((day, index) => (
            <Skeleton key={day} className={index % 3 === 1 ? 'invisible' : 'h-5'} />
          ))}
        </div>
      )}
    </div>
  );
}
