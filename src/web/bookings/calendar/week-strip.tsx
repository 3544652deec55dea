import type { CoachSlot } from '#domain/catalogue/slots-contract.ts';
import type { PlainDate } from '#domain/time.ts';
import { cn } from '#web/ui/class-names.ts';
import { countLessons } from '../lesson/booked-people.ts';
import { formatMonthOf, formatWeekday } from './calendar-dates.ts';
import { groupByDate } from './coach-slots.ts';

type WeekStripProps = {
  week: readonly PlainDate[];
  selected: PlainDate;
  today: PlainDate;
  /** The lessons of these days; undefined while loading. */
  slots: readonly CoachSlot[] | undefined;
  onSelect: (date: PlainDate) => void;
};

/**
 * The days of a week in one row, and tomorrow if today is its Sunday. Pressing a day opens it; a dot marks a
 * day with lessons.
 */
export function WeekStrip({ week, selected, today, slots, onSelect }: WeekStripProps) {
  const byDate = slots && groupByDate(slots);
  return (
    <nav aria-label="Days of the week" className="grid auto-cols-fr grid-flow-col pb-2">
      {week.map((date) => {
        const count = byDate?.get(date)?.length ?? 0;
        return (
          <button
            key={date}
            type="button"
            aria-current={date === selected ? 'date' : undefined}
            onClick={() => onSelect(date)}
            className={cn(
              'flex h-15 flex-col items-center justify-center gap-0.5 rounded-md text-xs text-muted-foreground transition-colors hover:bg-accent',
              'aria-[current=date]:bg-primary aria-[current=date]:text-primary-foreground',
            )}
          >
            {formatWeekday(date, 'short')}
            <span
              className={cn(
                'text-base leading-tight font-medium tabular-nums',
                date !== selected && 'text-foreground',
                date === today && date !== selected && 'text-primary',
              )}
            >
              {Number(date.slice(8))}
            </span>
            <span className="sr-only">{`${formatMonthOf(date, today)}${byDate ? `, ${countLessons(count)}` : ''}`}</span>
            <span
              aria-hidden
              className={cn('size-1 rounded-full', count > 0 ? 'bg-current' : 'bg-transparent')}
            />
          </button>
        );
      })}
    </nav>
  );
}
