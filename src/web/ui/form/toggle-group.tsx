import { cn } from '../class-names.ts';
import { useFieldGroup } from './form-field.tsx';

type ToggleGroupProps<Value extends string | number> = {
  /** The group's name, if it is not inside a `FormField isGroup`. */
  label?: string;
  value: readonly Value[];
  /** Called with the selected values in the order of `options`. */
  onValueChange: (value: Value[]) => void;
  /** `name`: what screen readers announce, if the `label` is an abbreviation. */
  options: readonly { value: Value; label: string; name?: string }[];
  /** True for a less prominent selection, for table rows with many selected buttons. */
  isQuiet?: boolean;
  /** True while a press is being saved. */
  isBusy?: boolean;
  className?: string;
};

/**
 * Toggle buttons, any number of which may be on. While `isBusy` they keep the focus and ignore presses, because a
 * disabled button would move the focus to the top of the page.
 */
export function ToggleGroup<Value extends string | number>({
  label,
  value,
  onValueChange,
  options,
  isQuiet = false,
  isBusy = false,
  className,
}: ToggleGroupProps<Value>) {
  function toggle(pressed: Value) {
    if (isBusy) return;
    const isOn = value.includes(pressed);
    onValueChange(
      options.map((option) => option.value).filter((v) => (v === pressed ? !isOn : value.includes(v))),
    );
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a wrapping row in every browser
    <div role="group" {...useFieldGroup(label)} className={cn('base:flex flex-wrap base:gap-1.5', className)}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={value.includes(option.value)}
          aria-label={option.name}
          aria-disabled={isBusy || undefined}
          onClick={() => toggle(option.value)}
          className={cn(
            'inline-flex h-10 min-w-11 items-center justify-center rounded-md border border-input/60 bg-card px-2 text-sm font-medium transition-colors touch:h-11',
            'not-aria-disabled:hover:bg-accent aria-disabled:opacity-50',
            isQuiet
              ? 'not-aria-pressed:border-input/30 not-aria-pressed:text-muted-foreground aria-pressed:border-primary/60 aria-pressed:bg-primary-soft aria-pressed:text-primary'
              : 'aria-pressed:border-primary aria-pressed:bg-primary aria-pressed:text-primary-foreground aria-pressed:not-aria-disabled:hover:bg-primary-hover',
          )}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}

const weekdays = [
  { value: 1, label: 'Mon', name: 'Monday' },
  { value: 2, label: 'Tue', name: 'Tuesday' },
  { value: 3, label: 'Wed', name: 'Wednesday' },
  { value: 4, label: 'Thu', name: 'Thursday' },
  { value: 5, label: 'Fri', name: 'Friday' },
  { value: 6, label: 'Sat', name: 'Saturday' },
  { value: 7, label: 'Sun', name: 'Sunday' },
] as const;

type WeekdayToggleProps = {
  label?: string;
  value: readonly number[];
  onValueChange: (weekdays: number[]) => void;
  className?: string;
};

/** Days of the week, Monday to Sunday in one row; values are ISO weekdays, 1 = Monday … 7 = Sunday. */
export function WeekdayToggle({ className, ...props }: WeekdayToggleProps) {
  return (
    <ToggleGroup<number>
      {...props}
      options={weekdays}
      className={cn('grid grid-cols-7 gap-1 sm:gap-1.5 *:min-w-0 *:px-0', className)}
    />
  );
}
