import { useId } from 'react';
import { cn } from '#web/ui/class-names.ts';

type ScaleFieldProps = {
  label: string;
  /** What each of the five numbers means. */
  names: Record<1 | 2 | 3 | 4 | 5, string>;
  value: number | null;
  onChange: (value: number) => void;
  isDisabled?: boolean;
};

const numbers = [1, 2, 3, 4, 5] as const;

/**
 * A choice from 1 to 5, with touch targets large enough for a thumb. It consists of radio buttons, so arrow
 * keys work.
 */
export function ScaleField({ label, names, value, onChange, isDisabled }: ScaleFieldProps) {
  const name = useId();
  const chosen = numbers.find((number) => number === value);
  return (
    <fieldset disabled={isDisabled}>
      <legend className="flex w-full flex-wrap justify-between gap-x-3 text-sm font-medium">
        {label}
        <span className="font-normal text-muted-foreground">{chosen ? names[chosen] : 'Not chosen'}</span>
      </legend>
      <div className="mt-1.5 grid max-w-sm grid-cols-5 gap-1.5">
        {numbers.map((number) => (
          <label
            key={number}
            className={cn(
              'relative flex h-11 items-center justify-center rounded-md border border-input/60 bg-card font-medium tabular-nums',
              'hover:bg-accent has-checked:border-primary has-checked:bg-primary-soft has-checked:text-primary',
              'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ring',
              'has-disabled:opacity-50',
            )}
          >
            <input
              type="radio"
              name={name}
              aria-label={`${number}, ${names[number]}`}
              checked={number === value}
              onChange={() => onChange(number)}
              className="absolute inset-0 opacity-0"
            />
            {number}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
