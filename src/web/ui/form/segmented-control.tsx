import { type ReactNode, useId } from 'react';
import { cn } from '../class-names.ts';
import { useFieldGroup } from './form-field.tsx';

type SegmentedControlProps<Value extends string> = {
  /** The group's name, if it is not inside a `FormField isGroup`. */
  label?: string;
  value: Value;
  onValueChange: (value: Value) => void;
  options: readonly { value: Value; label: string; icon?: ReactNode; isDisabled?: boolean }[];
  className?: string;
};

/** A choice of two to four short options, side by side. It consists of radio buttons, so arrow keys work. */
export function SegmentedControl<Value extends string>({
  label,
  value,
  onValueChange,
  options,
  className,
}: SegmentedControlProps<Value>) {
  const name = useId();
  return (
    <div
      role="radiogroup"
      {...useFieldGroup(label)}
      className={cn('base:inline-flex base:w-fit max-w-full gap-0.5 rounded-md bg-accent p-1', className)}
    >
      {options.map((option) => (
        <label
          key={option.value}
          className={cn(
            'relative inline-flex h-8 grow items-center justify-center gap-1.5 rounded-[0.3125rem] px-3 text-sm font-medium whitespace-nowrap touch:h-9',
            'text-muted-foreground transition-colors hover:text-foreground',
            'has-checked:bg-selected has-checked:text-foreground has-checked:shadow-[0_1px_2px_var(--shadow-edge)]',
            'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ring',
            'has-disabled:cursor-not-allowed has-disabled:opacity-50',
            // The row is 44 px high; the touch target extends to its edges.
            'before:absolute before:-inset-y-1 before:inset-x-0',
          )}
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            disabled={option.isDisabled}
            onChange={() => onValueChange(option.value)}
            className="absolute inset-0 opacity-0"
          />
          {option.icon}
          {option.label}
        </label>
      ))}
    </div>
  );
}
