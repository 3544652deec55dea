import { type Ref, useId, useState } from 'react';
import { cn } from '../class-names.ts';
import { useFieldControl, useFieldGroup } from './form-field.tsx';
import { Input } from './input.tsx';

type BirthDateInputProps = {
  /** A calendar date such as "2016-05-28"; empty for none. */
  value: string;
  /** Called with the typed text in the form of a calendar date, which may be incomplete; empty if nothing is typed. */
  onValueChange: (date: string) => void;
  onBlur?: () => void;
  /** True for the person's own date of birth, which the browser may fill in. */
  isOwn?: boolean;
  /** The first field, so that forms can focus an invalid date. */
  ref?: Ref<HTMLInputElement>;
};

const parts = [
  { name: 'day', label: 'Day', length: 2, width: 'w-16' },
  { name: 'month', label: 'Month', length: 2, width: 'w-16' },
  { name: 'year', label: 'Year', length: 4, width: 'w-24' },
] as const;
type Typed = Record<(typeof parts)[number]['name'], string>;

function readDate(date: string): Typed {
  const [year = '', month = '', day = ''] = date.split('-');
  const plain = (part: string) => part.replace(/^0/, '');
  return { day: plain(day), month: plain(month), year };
}

function writeDate({ day, month, year }: Typed): string {
  if (!day && !month && !year) return '';
  const two = (part: string) => (part === '' ? '' : part.padStart(2, '0'));
  return `${year}-${two(month)}-${two(day)}`;
}

/**
 * A date of birth, typed as day, month and year, because a calendar would open decades away from it. Goes inside a
 * `FormField isGroup`.
 */
export function BirthDateInput({ value, onValueChange, onBlur, isOwn = false, ref }: BirthDateInputProps) {
  const id = useId();
  const [typed, setTyped] = useState(() => readDate(value));
  const { 'aria-invalid': isInvalid } = useFieldControl({});
  function change(name: keyof Typed, text: string) {
    const next = { ...typed, [name]: text.replace(/\D/g, '') };
    setTyped(next);
    onValueChange(writeDate(next));
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a row in every browser
    <div role="group" {...useFieldGroup()} className="flex gap-3">
      {parts.map(({ name, label, length, width }, index) => (
        <div key={name} className={cn('flex flex-col gap-1', width)}>
          <label htmlFor={`${id}-${name}`} className="w-fit text-xs text-muted-foreground">
            {label}
          </label>
          <Input
            id={`${id}-${name}`}
            ref={index === 0 ? ref : undefined}
            inputMode="numeric"
            autoComplete={isOwn ? `bday-${name}` : 'off'}
            maxLength={length}
            aria-invalid={isInvalid}
            value={typed[name]}
            onChange={(event) => change(name, event.target.value)}
            onBlur={onBlur}
            className="tabular-nums"
          />
        </div>
      ))}
    </div>
  );
}
