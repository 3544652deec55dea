import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

/**
 * The URL parameters that say which dialog is open over the page. Only dialogs about money or a lesson use them, so
 * that no step is lost when a session ends. Other dialogs keep their state in `useState` or
 * `useDialogItem` (decision 50).
 */
type DialogSearch = {
  /** The booking whose cancel dialog is open. */
  cancel?: string | undefined;
  /** The name of the open dialog. */
  open?: string | undefined;
  /** The London time at which a new lesson starts; opens the calendar's dialog for creating it. */
  create?: string | undefined;
  /** True while the dialog that cancels the lessons of `date` is open. */
  cancelDay?: true | undefined;
  /** The London date that the calendar shows. */
  date?: string | undefined;
};

/** Changes URL parameters, such as a dialog's, without adding a history entry; undefined removes a parameter. */
export function useAddressChange(): (change: DialogSearch) => void {
  const navigate = useNavigate();
  return useCallback(
    (change) =>
      void navigate({
        to: '.',
        search: (known: DialogSearch): DialogSearch => ({ ...known, ...change }),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
}

/**
 * A URL parameter as state: after the person signs in again or reloads the page, the same dialog is open. A
 * change adds no history entry. The route must accept the parameter in `validateSearch`.
 */
export function useAddressParam(
  name: 'cancel' | 'open',
): [value: string | null, change: (value: string | null) => void] {
  const search: DialogSearch = useSearch({ strict: false });
  const changeAddress = useAddressChange();
  const change = useCallback(
    (value: string | null) => changeAddress({ [name]: value ?? undefined }),
    [changeAddress, name],
  );
  return [search[name] ?? null, change];
}

/**
 * Leaves a dialog or detour for `href`: goes back if `href` is the previous history entry, so that each
 * opening adds one entry and Back always has an effect. Otherwise, and in browsers without the Navigation API, calls
 * `replace`. `history.back()` could lead to an entry that a frame added, such as a bank's page; the Navigation API
 * skips such entries.
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

/** Path and query in a canonical spelling: a typed URL may contain `%20` instead of the `+` in our links. */
function normalise(href: string): string {
  const { pathname, searchParams } = new URL(href, location.href);
  return `${pathname}?${searchParams}`;
}
