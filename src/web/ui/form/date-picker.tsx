import CalendarIcon from 'lucide-react/icons/calendar';
import { Suspense, useRef, useState } from 'react';
import { cn } from '../class-names.ts';
import { lazyPart } from '../lazy-part.ts';
import { Spinner } from '../page/spinner.tsx';
import { useFieldControl, useFieldGroup } from './form-field.tsx';
import { controlClasses } from './input.tsx';

const DateCalendar = lazyPart(() => import('./date-calendar.tsx'), 'default');
const DatePopover = lazyPart(() => import('./date-popover.tsx'), 'default');

const calendarBox = 'min-h-85 min-w-70 touch:min-w-77';

/** Today's calendar date in London, where lessons happen. */
function todayInLondon(): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/London' }).format(new Date());
}

function formatDate(isoDate: string, today: string): string {
  const isThisYear = isoDate.slice(0, 4) === today.slice(0, 4);
  return new Intl.DateTimeFormat('en-GB', {
    timeZone: 'UTC',
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(isThisYear ? {} : { year: 'numeric' }),
  })
    .format(new Date(`${isoDate}T12:00:00Z`))
    .replace(',', '');
}

type SharedProps = {
  /** True to allow days before today, for filters of past records. */
  isPastAllowed?: boolean;
  className?: string;
};

type DatePickerProps = SharedProps & {
  /** A calendar date such as "2026-11-21"; null for none. */
  value: string | null;
  onValueChange: (date: string | null) => void;
  placeholder?: string;
  /** Days before this calendar date can't be picked; nor can days before today, unless `isPastAllowed`. */
  min?: string | undefined;
  disabled?: boolean;
  id?: string;
  'aria-label'?: string;
};

/**
 * One date: a button showing "Sat 21 Nov" that opens a calendar. Picking a date closes the calendar; picking the same
 * date again clears the field.
 */
export function DatePicker({
  value,
  onValueChange,
  placeholder = 'Choose a date',
  isPastAllowed = false,
  min,
  disabled,
  className,
  ...props
}: DatePickerProps) {
  const [calendar, setCalendar] = useState<'unused' | 'open' | 'closed'>('unused');
  const trigger = useRef<HTMLButtonElement>(null);
  const today = todayInLondon();
  const earliest = isPastAllowed || (min && min > today) ? min : today;
  const { 'aria-invalid': isInvalid, ...field } = useFieldControl(props);
  return (
    <>
      <button
        type="button"
        {...props}
        {...field}
        ref={trigger}
        disabled={disabled}
        aria-haspopup="dialog"
        aria-expanded={calendar === 'open'}
        onClick={() => setCalendar(calendar === 'open' ? 'closed' : 'open')}
        className={cn(
          controlClasses,
          'flex items-center justify-between gap-2 text-left tabular-nums',
          !value && 'text-muted-foreground',
          isInvalid && 'border-destructive',
          className,
        )}
      >
        {value ? formatDate(value, today) : placeholder}
        <CalendarIcon aria-hidden className="size-4 shrink-0 text-muted-foreground" />
      </button>
      {calendar !== 'unused' && (
        <Suspense fallback={null}>
          <DatePopover anchor={trigger} isOpen={calendar === 'open'} onClose={() => setCalendar('closed')}>
            <Suspense fallback={<Spinner className={calendarBox} />}>
              <DateCalendar
                mode="single"
                today={today}
                min={earliest}
                value={value}
                onValueChange={(date) => {
                  onValueChange(date);
                  setCalendar('closed');
                }}
              />
            </Suspense>
          </DatePopover>
        </Suspense>
      )}
    </>
  );
}

type MultiDatePickerProps = SharedProps & {
  /** The calendar's name, if it is not inside a `FormField isGroup`. */
  label?: string;
  /** Calendar dates such as "2026-11-21", in ascending order. */
  value: readonly string[];
  onValueChange: (dates: string[]) => void;
  /** A date in the month to show first if none is picked; the current month by default. */
  opensAt?: string;
};

/** Several dates in a calendar that is always open. */
export function MultiDatePicker({
  label,
  value,
  onValueChange,
  opensAt,
  isPastAllowed = false,
  className,
}: MultiDatePickerProps) {
  const today = todayInLondon();
  return (
    // biome-ignore lint/a11y/useSemanticElements: named by the form field, not by a legend
    <div role="group" {...useFieldGroup(label)} className={className}>
      <Suspense fallback={<Spinner className={calendarBox} />}>
        <DateCalendar
          mode="multiple"
          opensAt={opensAt}
          today={today}
          min={isPastAllowed ? undefined : today}
          value={value}
          onValueChange={onValueChange}
        />
      </Suspense>
    </div>
  );
}
