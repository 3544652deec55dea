import { type ReactNode, useId } from 'react';
import { cn } from '../class-names.ts';
import { useFieldGroup } from './form-field.tsx';

type RadioGroupProps<Value extends string> = {
  /** The group's name, if it is not inside a `FormField isGroup`. */
  label?: string;
  value: Value | null;
  onValueChange: (value: Value) => void;
  options: readonly { value: Value; label: string; hint?: ReactNode; isDisabled?: boolean }[];
  className?: string;
};

/** A choice of one option; each option has its own row with room for a hint. Arrow keys change the choice. */
export function RadioGroup<Value extends string>({
  label,
  value,
  onValueChange,
  options,
  className,
}: RadioGroupProps<Value>) {
  const name = useId();
  return (
    <div role="radiogroup" {...useFieldGroup(label)} className={cn('grid gap-2', className)}>
      {options.map((option) => (
        <label
          key={option.value}
          className={cn(
            'flex min-h-11 items-start gap-3 rounded-md border border-input/60 bg-card px-3 py-2.5 text-sm transition-colors',
            'hover:border-foreground/60 has-checked:border-primary has-checked:bg-primary-soft',
            'has-disabled:cursor-not-allowed has-disabled:opacity-50 has-disabled:hover:border-input/60',
          )}
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            disabled={option.isDisabled}
            onChange={() => onValueChange(option.value)}
            aria-describedby={option.hint ? `${name}-${option.value}` : undefined}
            className="mt-px size-5 shrink-0 appearance-none rounded-full border border-input bg-card transition-[border-width] checked:border-6 checked:border-primary"
          />
          <span>
            <span className="font-medium">{option.label}</span>
            {option.hint && (
              <span id={`${name}-${option.value}`} className="block text-xs text-muted-foreground">
                {option.hint}
              </span>
            )}
          </span>
        </label>
      ))}
    </div>
  );
}
