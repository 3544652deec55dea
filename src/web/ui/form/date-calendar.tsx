import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { useState } from 'react';
import { DayPicker } from 'react-day-picker';
import { enGB } from 'react-day-picker/locale/en-GB';
import { cn } from '../class-names.ts';

/** A calendar date, such as "2026-11-21", as local noon, so that no clock change moves it to another day. */
function toDate(isoDate: string): Date {
  return new Date(`${isoDate}T12:00:00`);
}

function toIsoDate(date: Date): string {
  const pad = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}

const navButton =
  'absolute top-0 inline-flex size-10 items-center justify-center rounded-md hover:bg-accent aria-disabled:opacity-40 touch:size-11';

const classNames = {
  root: 'relative w-fit select-none',
  month_caption: 'flex h-10 items-center justify-center text-sm font-semibold touch:h-11',
  button_previous: cn(navButton, 'left-0'),
  button_next: cn(navButton, 'right-0'),
  month_grid: 'mt-1 border-collapse',
  weekday: 'size-10 text-xs font-normal text-muted-foreground touch:w-11',
  day: 'group p-0 text-center text-sm tabular-nums',
  day_button: cn(
    'inline-flex size-10 items-center justify-center rounded-md transition-colors touch:size-11',
    'enabled:hover:bg-accent disabled:text-muted-foreground disabled:opacity-60',
    'group-data-outside:text-muted-foreground group-data-today:font-semibold group-data-today:text-primary',
    'group-data-selected:bg-primary group-data-selected:font-semibold group-data-selected:text-primary-foreground',
    'group-data-selected:enabled:hover:bg-primary-hover',
  ),
};

// Declared once: a new component on each render would replace the icon and lose a press that is under way.
const components = {
  Chevron: ({ orientation }: { orientation?: string }) =>
    orientation === 'left' ? (
      <ChevronLeft aria-hidden className="size-4" />
    ) : (
      <ChevronRight aria-hidden className="size-4" />
    ),
};

type DateCalendarProps = {
  /** Today's date. All dates are calendar dates such as "2026-11-21". */
  today: string;
  /** The first day that can be picked; by default, any day can be. */
  min?: string;
  className?: string;
} & (
  | { mode: 'single'; value: string | null; onValueChange: (date: string | null) => void }
  | {
      mode: 'multiple';
      value: readonly string[];
      onValueChange: (dates: string[]) => void;
      /**
       * If no date is picked, the calendar opens on the month of this date. Default: today, or `min` if it is later.
       */
      opensAt?: string;
    }
);

/** One month as a grid, Monday first. Its code is large, so import it lazily, as date-picker.tsx does. */
export default function DateCalendar(props: DateCalendarProps) {
  const { today, min, className } = props;
  const firstPicked = props.mode === 'single' ? props.value : (props.value[0] ?? props.opensAt);
  // Controlled: otherwise the library sets its month again after rendering and overrides a press made in between.
  const [month, setMonth] = useState(() => toDate(firstPicked ?? (min && min > today ? min : today)));
  const shared = {
    month,
    onMonthChange: setMonth,
    locale: enGB,
    today: toDate(today),
    disabled: min ? { before: toDate(min) } : undefined,
    startMonth: min ? toDate(min) : undefined,
    classNames,
    className,
    components,
  };
  if (props.mode === 'single') {
    const selected = props.value ? toDate(props.value) : undefined;
    return (
      <DayPicker
        {...shared}
        mode="single"
        autoFocus
        selected={selected}
        onSelect={(date) => props.onValueChange(date ? toIsoDate(date) : null)}
      />
    );
  }
  const selected = props.value.map(toDate);
  return (
    <DayPicker
      {...shared}
      mode="multiple"
      selected={selected}
      onSelect={(dates) => props.onValueChange((dates ?? []).map(toIsoDate).sort())}
    />
  );
}
