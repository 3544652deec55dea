import type { CoachSlot } from '#domain/catalogue/contract.ts';
import type { PlainDate } from '#domain/time.ts';
import { Button } from '#web/ui/button.tsx';
import { cn } from '#web/ui/class-names.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { formatDate, formatLongDay, formatWeekday } from './calendar-dates.ts';
import { SlotRow } from './slot-row.tsx';

type SlotsByDate = ReadonlyMap<PlainDate, readonly CoachSlot[]>;

function NoLessons({ when, onCreate }: { when: string; onCreate: () => void }) {
  return (
    <EmptyState
      title="No lessons scheduled"
      action={
        <Button variant="secondary" onClick={onCreate}>
          Publish lessons
        </Button>
      }
    >
      Nothing is planned {when}. Publish dates from one of your templates.
    </EmptyState>
  );
}

/** The lessons of one day. */
export function DayList({ slots, onCreate }: { slots: readonly CoachSlot[]; onCreate: () => void }) {
  if (slots.length === 0) return <NoLessons when="for this day" onCreate={onCreate} />;
  return (
    <ul className="-mx-3 divide-y">
      {slots.map((slot) => (
        <SlotRow key={slot.slotId} slot={slot} />
      ))}
    </ul>
  );
}

type WeekListProps = {
  week: readonly PlainDate[];
  today: PlainDate;
  slotsByDate: SlotsByDate;
  onCreate: () => void;
};

/** The lessons of a week, day by day. */
export function WeekList({ week, today, slotsByDate, onCreate }: WeekListProps) {
  if (slotsByDate.size === 0) return <NoLessons when="for this week" onCreate={onCreate} />;
  return (
    <div className="divide-y border-y">
      {week.map((date) => {
        const slots = slotsByDate.get(date);
        return (
          <section key={date} className="grid grid-cols-[8rem_minmax(0,1fr)] gap-x-4">
            <h3 className={cn('py-3.5 text-sm leading-normal', date === today && 'text-primary')}>
              {formatWeekday(date, 'long')}
              <span className={cn('block text-xs font-normal', date !== today && 'text-muted-foreground')}>
                {formatDate(date)}
                {date === today && ', today'}
              </span>
            </h3>
            {slots ? (
              <ul className="divide-y">
                {slots.map((slot) => (
                  <SlotRow key={slot.slotId} slot={slot} />
                ))}
              </ul>
            ) : (
              <p className="px-3 py-3.5 text-sm text-muted-foreground">No lessons scheduled</p>
            )}
          </section>
        );
      })}
    </div>
  );
}

type WeekStripProps = {
  week: readonly PlainDate[];
  selected: PlainDate;
  today: PlainDate;
  /** Dates with lessons get a dot; undefined while they are not known. */
  busy: SlotsByDate | undefined;
  onSelect: (date: PlainDate) => void;
};

/** The seven days of the week in one row, to go from day to day with one press. */
export function WeekStrip({ week, selected, today, busy, onSelect }: WeekStripProps) {
  return (
    <nav aria-label="Days of this week" className="mb-2 grid grid-cols-7 border-b pb-2">
      {week.map((date) => {
        const count = busy?.get(date)?.length ?? 0;
        const lessons = count === 1 ? '1 lesson' : `${count} lessons`;
        return (
          <button
            key={date}
            type="button"
            aria-current={date === selected ? 'date' : undefined}
            aria-label={`${formatLongDay(date, today)}${busy ? `, ${lessons}` : ''}`}
            onClick={() => onSelect(date)}
            className={cn(
              'flex h-16 flex-col items-center justify-center gap-0.5 rounded-md text-xs text-muted-foreground transition-colors hover:bg-accent',
              'aria-[current=date]:bg-primary aria-[current=date]:text-primary-foreground',
            )}
          >
            {formatWeekday(date, 'short')}
            <span
              className={cn(
                'text-base font-medium tabular-nums',
                date !== selected && 'text-foreground',
                date === today && date !== selected && 'text-primary',
              )}
            >
              {Number(date.slice(8))}
            </span>
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

/** Rows in the shape of lessons on their way. */
export function SlotListSkeleton() {
  return (
    <Loading label="Loading lessons..." className="divide-y">
      {['a', 'b', 'c', 'd'].map((key) => (
        <div key={key} className="flex items-center gap-4 py-4">
          <Skeleton className="w-24" />
          <div className="grow space-y-2">
            <Skeleton className="w-2/5" />
            <Skeleton className="h-3 w-1/4" />
          </div>
          <Skeleton className="h-6 w-20 rounded-full" />
        </div>
      ))}
    </Loading>
  );
}
