import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

/** What of an address says which dialog is open over its page. */
export type DialogSearch = {
  /** The booking that is about to be cancelled. */
  cancel?: string;
  /** The name of the dialog. */
  open?: string;
};

/**
 * A parameter of the address as state: somebody who signs in again after their session ended, or loads the page again, is
 * back at the dialog that was open. A change makes no entry in the history. The route reads it in `validateSearch`.
 */
export function useAddressParam(
  name: keyof DialogSearch,
): [value: string | null, change: (value: string | null) => void] {
  const search: DialogSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = useCallback(
    (value: string | null) =>
      void navigate({
        to: '.',
        search: (known: DialogSearch): DialogSearch => ({ ...known, [name]: value ?? undefined }),
        replace: true,
        resetScroll: false,
      }),
    [navigate, name],
  );
  return [search[name] ?? null, change];
}
