import { type RefObject, useEffect, useEffectEvent } from 'react';

/**
 * Calls `onInput` once with the value typed or chosen on a server-rendered page before this field was hydrated. The
 * browser keeps that value only until React renders the field again.
 */
export function useEarlyInput(
  field: RefObject<HTMLInputElement | HTMLSelectElement | null>,
  value: string,
  onInput: (given: string) => void,
): void {
  const compare = useEffectEvent(() => {
    const given = field.current!.value;
    if (given !== value) onInput(given);
  });
  useEffect(() => compare(), []);
}
