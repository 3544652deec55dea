import { type ComponentProps, useState } from 'react';
import { formatPounds, parsePounds } from '#domain/money.ts';
import { Input } from './input.tsx';

type PoundsInputProps = Omit<ComponentProps<'input'>, 'type' | 'value' | 'defaultValue' | 'onChange'> & {
  /** The field's initial value in minor units. */
  defaultCents: number | null;
  /** The field's value in minor units; null if it is not an amount. */
  onCentsChange: (cents: number | null) => void;
};

const written = (cents: number | null) => (cents === null ? '' : formatPounds(cents).replace('£', ''));

/**
 * An amount typed in pounds ("45", "45.5", "1,250.00") and stored in minor units; formatted in full on blur.
 */
export function PoundsInput({ defaultCents, onCentsChange, onBlur, ...props }: PoundsInputProps) {
  const [typed, setTyped] = useState(() => written(defaultCents));
  return (
    <Input
      {...props}
      inputMode="decimal"
      autoComplete="off"
      leading="£"
      value={typed}
      onChange={(event) => {
        setTyped(event.target.value);
        onCentsChange(parsePounds(event.target.value));
      }}
      onBlur={(event) => {
        const cents = parsePounds(typed);
        if (cents !== null) setTyped(written(cents));
        onBlur?.(event);
      }}
    />
  );
}
