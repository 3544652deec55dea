import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
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

/**
 * Leaves a dialog or detour for `href`: back if that is the entry before, so that each opening adds one entry and no press
 * of Back does nothing; else by `replace`, as in browsers without the Navigation API. `history.back()` could end in an
 * entry that a frame added, such as a bank's page; the Navigation API passes over those.
 */
export function useLeave(): (href: string, replace?: () => void) => void {
  const { history } = useRouter();
  return useCallback(
    (href, replace = () => history.replace(href)) => {
      const { navigation } = window as Partial<Window>;
      const before = navigation?.entries()[(navigation.currentEntry?.index ?? 0) - 1];
      if (before?.url && normalise(before.url) === normalise(href)) navigation!.back();
      else replace();
    },
    [history],
  );
}

/** Path and query in one spelling: an address that was typed may have `%20` where links have `+`. */
function normalise(href: string): string {
  const { pathname, searchParams } = new URL(href, location.href);
  return `${pathname}?${searchParams}`;
}
