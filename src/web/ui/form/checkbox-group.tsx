import { type ReactNode, useId } from 'react';
import { cn } from '../class-names.ts';
import { Checkbox } from './checkbox.tsx';
import { useFieldGroup } from './form-field.tsx';

type CheckboxGroupProps<Value extends string> = {
  /** The group's name, if it is not inside a `FormField isGroup`. */
  label?: string;
  value: readonly Value[];
  onValueChange: (value: Value[]) => void;
  options: readonly { value: Value; label: string; hint?: ReactNode; isDisabled?: boolean }[];
  className?: string;
};

/** A choice of several options; each option has its own row with room for a hint. */
export function CheckboxGroup<Value extends string>({
  label,
  value,
  onValueChange,
  options,
  className,
}: CheckboxGroupProps<Value>) {
  const id = useId();
  return (
    <fieldset {...useFieldGroup(label)} className={cn('grid min-w-0 gap-2', className)}>
      {options.map((option) => (
        <label
          key={option.value}
          htmlFor={`${id}-${option.value}`}
          className={cn(
            'flex min-h-11 items-start gap-3 rounded-md border border-input/60 bg-card px-3 py-2.5 text-sm transition-colors',
            'hover:border-foreground/60 has-checked:border-primary has-checked:bg-primary-soft',
            'has-disabled:cursor-not-allowed has-disabled:opacity-50 has-disabled:hover:border-input/60',
          )}
        >
          <Checkbox
            id={`${id}-${option.value}`}
            className="mt-px"
            checked={value.includes(option.value)}
            disabled={option.isDisabled}
            onChange={({ target }) =>
              onValueChange(
                target.checked ? [...value, option.value] : value.filter((chosen) => chosen !== option.value),
              )
            }
            aria-describedby={option.hint ? `${id}-${option.value}-hint` : undefined}
          />
          <span>
            <span className="font-medium">{option.label}</span>
            {option.hint && (
              <span id={`${id}-${option.value}-hint`} className="block text-xs text-muted-foreground">
                {option.hint}
              </span>
            )}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
