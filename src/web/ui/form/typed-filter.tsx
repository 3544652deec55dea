import { useEffect, useRef, useState } from 'react';
import { FormField } from './form-field.tsx';
import { Input } from './input.tsx';
import { useEarlyInput } from './use-early-input.ts';

type TypedFilterProps = {
  label: string;
  maxLength: number;
  isLabelHidden: boolean;
  value: string | undefined;
  onSettled: (value: string | undefined) => void;
};

/**
 * A text filter that waits for a pause in typing before it searches. Until then the field has `data-unsettled`, and
 * lists on the same page ignore presses.
 */
export function TypedFilter({ label, maxLength, isLabelHidden, value, onSettled }: TypedFilterProps) {
  const [typed, setTyped] = useState(value ?? '');
  const field = useRef<HTMLInputElement>(null);
  const settle = useRef(onSettled);
  settle.current = onSettled;
  const sent = useRef(value ?? '');
  // Accepts values changed elsewhere, but not the value that this field sent, which would overwrite newer input.
  useEffect(() => {
    if (sent.current === (value ?? '')) return;
    sent.current = value ?? '';
    setTyped(value ?? '');
  }, [value]);
  useEarlyInput(field, typed, setTyped);
  const trimmed = typed.trim();
  useEffect(() => {
    if (trimmed === (value ?? '')) return;
    const timer = setTimeout(() => {
      sent.current = trimmed;
      settle.current(trimmed || undefined);
    }, 300);
    return () => clearTimeout(timer);
  }, [trimmed, value]);
  return (
    <FormField label={label} isLabelHidden={isLabelHidden}>
      <Input
        ref={field}
        type="search"
        value={typed}
        maxLength={maxLength}
        placeholder={label}
        enterKeyHint="search"
        data-unsettled={trimmed !== (value ?? '') || undefined}
        onChange={(event) => setTyped(event.target.value)}
      />
    </FormField>
  );
}
