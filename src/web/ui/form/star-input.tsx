import { useId } from 'react';
import { Star } from '../rating/stars.tsx';
import { useFieldGroup } from './form-field.tsx';

type StarInputProps = { label?: string; value: number | null; onValueChange: (stars: number) => void };

const names = ['1 star', '2 stars', '3 stars', '4 stars', '5 stars'];

/**
 * A choice of one to five stars, inside a `FormField isGroup` or with a label. It consists of radio buttons, so arrow
 * keys work.
 */
export function StarInput({ label, value, onValueChange }: StarInputProps) {
  const name = useId();
  return (
    <div role="radiogroup" {...useFieldGroup(label)} className="-ml-1.5 flex">
      {names.map((option, index) => (
        <label
          key={option}
          className="relative flex size-11 cursor-pointer items-center justify-center rounded-md hover:bg-accent has-focus-visible:outline-2 has-focus-visible:outline-ring"
        >
          <input
            type="radio"
            name={name}
            aria-label={option}
            checked={value === index + 1}
            onChange={() => onValueChange(index + 1)}
            className="absolute inset-0 cursor-pointer opacity-0"
          />
          <Star isFilled={index < (value ?? 0)} className="size-7" />
        </label>
      ))}
    </div>
  );
}
