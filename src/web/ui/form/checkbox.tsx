import Check from 'lucide-react/icons/check';
import Minus from 'lucide-react/icons/minus';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { cn } from '../class-names.ts';
import { useFieldControl } from './form-field.tsx';

type CheckboxProps = Omit<ComponentProps<'input'>, 'type'> & {
  /** True if some but not all of the items that this checkbox represents are ticked. */
  isIndeterminate?: boolean;
};

/** The browser's own checkbox, styled; name it with `aria-label`, or use `CheckboxField` for text beside it. */
export function Checkbox({ className, isIndeterminate = false, ref, ...props }: CheckboxProps) {
  function attach(input: HTMLInputElement | null) {
    if (input) input.indeterminate = isIndeterminate;
    if (typeof ref === 'function') return ref(input);
    if (ref) ref.current = input;
  }
  return (
    <span className={cn('relative inline-flex size-5 shrink-0 align-middle', className)}>
      <input
        type="checkbox"
        ref={attach}
        {...props}
        {...useFieldControl(props)}
        className={cn(
          'peer relative size-5 appearance-none before:absolute touch:before:-inset-3 rounded-sm border border-input bg-card transition-colors hover:border-foreground/60',
          'checked:border-primary checked:bg-primary indeterminate:border-primary indeterminate:bg-primary',
          'aria-invalid:border-destructive disabled:opacity-50',
        )}
      />
      <Check
        aria-hidden
        strokeWidth={3}
        className="pointer-events-none absolute inset-0.5 hidden size-4 text-primary-foreground peer-checked:not-peer-indeterminate:block"
      />
      <Minus
        aria-hidden
        strokeWidth={3}
        className="pointer-events-none absolute inset-0.5 hidden size-4 text-primary-foreground peer-indeterminate:block"
      />
    </span>
  );
}

/** A checkbox with its text on the right; the whole line can be pressed. */
export function CheckboxField({
  label,
  hint,
  className,
  ...props
}: CheckboxProps & { label: ReactNode; hint?: string }) {
  const id = useId();
  return (
    <label
      htmlFor={id}
      className={cn('flex w-fit items-start gap-3 py-1 text-sm touch:min-h-11 touch:py-2.5', className)}
    >
      <Checkbox className="mt-px" {...props} id={id} aria-describedby={hint ? `${id}-hint` : undefined} />
      <span>
        {label}
        {hint && (
          <span id={`${id}-hint`} className="block text-xs text-muted-foreground">
            {hint}
          </span>
        )}
      </span>
    </label>
  );
}
