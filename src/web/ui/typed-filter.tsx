import { useEffect, useRef, useState } from 'react';
import { FormField } from './form-field.tsx';
import { Input } from './input.tsx';

type TypedFilterProps = {
  label: string;
  maxLength: number;
  isLabelHidden: boolean;
  value: string | undefined;
  onSettled: (value: string | undefined) => void;
};

/** A text filter that waits for a pause in typing before it searches. */
export function TypedFilter({ label, maxLength, isLabelHidden, value, onSettled }: TypedFilterProps) {
  const [typed, setTyped] = useState(value ?? '');
  const field = useRef<HTMLInputElement>(null);
  const settle = useRef(onSettled);
  settle.current = onSettled;
  // Taken off or changed elsewhere; what is being typed here keeps its last space.
  useEffect(() => setTyped((known) => (known.trim() === (value ?? '') ? known : (value ?? ''))), [value]);
  // Typed into a page that the server drew, before this was there to hear it.
  useEffect(() => setTyped(field.current!.value), []);
  const wanted = typed.trim();
  useEffect(() => {
    if (wanted === (value ?? '')) return;
    const timer = setTimeout(() => settle.current(wanted || undefined), 300);
    return () => clearTimeout(timer);
  }, [wanted, value]);
  return (
    <FormField label={label} isLabelHidden={isLabelHidden}>
      <Input
        ref={field}
        type="search"
        value={typed}
        maxLength={maxLength}
        placeholder={label}
        enterKeyHint="search"
        onChange={(event) => setTyped(event.target.value)}
      />
    </FormField>
  );
}
