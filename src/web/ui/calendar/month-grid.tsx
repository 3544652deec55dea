import Plus from 'lucide-react/icons/plus';
import { type ReactNode, useId, useRef } from 'react';
import { cn } from '../class-names.ts';
import { type StopProps, stopAt, useRovingFocus } from '../roving-focus.ts';

const itemsShown = 3;
const daysOfWeek = 7;
/** Focus rows per week for the arrow keys: enough for a day, its items and its buttons. */
const weekRows = 10;

export type MonthDay<Item> = {
  /** A calendar date: "2026-11-24". */
  date: string;
  /** The date as text: "Tuesday 24 November". */
  label: string;
  /** False for the days of the months before and after. */
  isInMonth: boolean;
  isToday: boolean;
  items: readonly Item[];
  /** True if a new item can be added on that day. */
  canAdd: boolean;
};

type MonthGridProps<Item> = {
  label: string;
  /** Keyboard instructions, read once by screen readers. */
  hint: string;
  /** Whole weeks, Monday first. */
  days: readonly MonthDay<Item>[];
  weekdays: readonly { short: string; long: string }[];
  /** The date that Tab focuses first. */
  home: string;
  isBusy: boolean;
  keyOf: (item: Item) => string;
  renderItem: (item: Item, props: StopProps) => ReactNode;
  /** Formats the number of items for a day's accessible name: "3 lessons". */
  formatCount: (count: number) => string;
  onOpenDay: (date: string) => void;
  onAdd: (date: string) => void;
  onLeave: (direction: 'previous' | 'next') => void;
};

/** Weeks since a fixed Monday, so that a week has the same row numbers in both months that show it. */
const weekOf = (date: string) => Math.floor((Date.parse(`${date}T00:00:00Z`) / 86_400_000 + 3) / daysOfWeek);

/** A month in weeks; each day shows at most three of its items, and a button for the rest. */
export function MonthGrid<Item>({
  label,
  hint,
  days,
  weekdays,
  home,
  isBusy,
  keyOf,
  renderItem,
  formatCount,
  onOpenDay,
  onAdd,
  onLeave,
}: MonthGridProps<Item>) {
  const hintId = useId();
  const grid = useRef<HTMLDivElement>(null);
  const homeIndex = Math.max(
    0,
    days.findIndex(({ date }) => date === home),
  );
  const roving = useRovingFocus({
    grid,
    page: label,
    home: { column: homeIndex % daysOfWeek, row: weekOf(days[homeIndex]!.date) * weekRows },
    weekRows,
    onLeave,
  });
  const weeks = Array.from({ length: days.length / daysOfWeek }, (_, week) =>
    days.slice(week * daysOfWeek, (week + 1) * daysOfWeek),
  );
  return (
    <>
      <p id={hintId} className="sr-only">
        {hint}
      </p>
      <div ref={grid} className="border-b">
        <table
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table with arrow keys is a grid
          role="grid"
          aria-label={label}
          aria-describedby={hintId}
          aria-busy={isBusy}
          onFocus={roving.onFocus}
          onKeyDown={roving.onKeyDown}
          className="block"
        >
          <thead className="sticky top-16 z-20 block border-b bg-background">
            <tr className="grid grid-cols-7">
              {weekdays.map(({ short, long }) => (
                <th
                  key={long}
                  scope="col"
                  aria-label={long}
                  className="py-2 text-center text-xs font-normal text-muted-foreground"
                >
                  {short}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="block">
            {weeks.map((week) => (
              <tr key={week[0]!.date} className="grid min-h-30 grid-cols-7 border-b last:border-b-0">
                {week.map((day, column) => {
                  const { date, items } = day;
                  const shown = items.slice(0, itemsShown);
                  const row = weekOf(date) * weekRows;
                  const more = items.length - shown.length;
                  return (
                    <td
                      key={date}
                      className={cn(
                        'group relative flex min-w-0 flex-col border-l p-1 first:border-l-0',
                        !day.isInMonth && 'bg-muted/50',
                      )}
                    >
                      <button
                        type="button"
                        {...stopAt(column, row)}
                        aria-label={`${day.label}${day.isToday ? ', today' : ''}, ${formatCount(items.length)}`}
                        onClick={() => onOpenDay(date)}
                        className={cn(
                          'z-10 mx-auto mb-0.5 grid size-6 shrink-0 place-items-center rounded-full text-xs font-medium tabular-nums transition-colors touch:size-8',
                          !day.isToday && 'hover:bg-accent',
                          !day.isToday && !day.isInMonth && 'text-muted-foreground',
                          day.isToday && 'bg-primary text-primary-foreground hover:bg-primary-hover',
                        )}
                      >
                        {Number(date.slice(8))}
                      </button>
                      <div className="relative z-10 grid gap-0.5">
                        {shown.map((item, index) => (
                          <div key={keyOf(item)} className="min-w-0">
                            {renderItem(item, stopAt(column, row + 1 + index))}
                          </div>
                        ))}
                        {more > 0 && (
                          <button
                            type="button"
                            {...stopAt(column, row + 1 + itemsShown)}
                            aria-label={`+${more} more on ${day.label}`}
                            onClick={() => onOpenDay(date)}
                            className="h-5 rounded-sm px-1.5 text-left text-xs font-medium text-muted-foreground hover:bg-accent hover:text-foreground"
                          >
                            +{more} more
                          </button>
                        )}
                      </div>
                      {day.canAdd && (
                        <button
                          type="button"
                          {...stopAt(column, row + 2 + itemsShown)}
                          aria-label={`Add lessons, ${day.label}`}
                          onClick={() => onAdd(date)}
                          className="absolute inset-0 flex items-end justify-center rounded-sm pb-1 text-primary transition-colors hover:bg-primary-soft/60 focus-visible:-outline-offset-2 [&>svg]:size-4 [&>svg]:opacity-0 hover:[&>svg]:opacity-100 focus-visible:[&>svg]:opacity-100"
                        >
                          <Plus aria-hidden />
                        </button>
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
