import { type ComponentProps, type ReactNode, useId } from 'react';
import { cn } from '../class-names.ts';

type SwitchProps = Omit<ComponentProps<'input'>, 'type' | 'role'> & { label: string; hint?: ReactNode };

/** A setting that takes effect immediately, with its text on the left and the switch on the right. */
export function Switch({ label, hint, className, ...props }: SwitchProps) {
  const hintId = useId();
  return (
    <label className={cn('flex min-h-11 items-center justify-between gap-4 py-2 text-sm', className)}>
      <span>
        <span className="font-medium">{label}</span>
        {hint && (
          <span id={hintId} className="block text-xs text-muted-foreground">
            {hint}
          </span>
        )}
      </span>
      <input
        type="checkbox"
        // biome-ignore lint/a11y/useAriaPropsForRole: a native checkbox reports its own state
        role="switch"
        aria-describedby={hint ? hintId : undefined}
        aria-label={label}
        {...props}
        className={cn(
          'relative h-6 w-11 shrink-0 appearance-none rounded-full border border-input bg-input/35 transition-colors',
          'before:absolute before:top-0.75 before:left-0.75 before:size-4 before:rounded-full before:bg-foreground/75 before:transition-transform',
          'checked:border-primary checked:bg-primary checked:before:translate-x-5 checked:before:bg-primary-foreground',
          'disabled:opacity-50',
        )}
      />
    </label>
  );
}
