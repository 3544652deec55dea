import { useCallback, useState } from 'react';

/**
 * The local state of a dialog that is not part of the URL (decision 50): its item, and whether it is open. The item
 * stays while the dialog closes, so that the text stays while the dialog fades. `openings` counts how often the dialog
 * was opened; as a React key, the count clears the typed input at each opening.
 */
export type DialogItem<Item> = {
  isOpen: boolean;
  /** Null before the first opening, and if the dialog was opened to create an item. */
  item: Item | null;
  openings: number;
  open: (item: Item | null) => void;
  close: () => void;
};

export function useDialogItem<Item>(): DialogItem<Item> {
  const [state, setState] = useState<{ isOpen: boolean; item: Item | null; openings: number }>({
    isOpen: false,
    item: null,
    openings: 0,
  });
  const open = useCallback(
    (item: Item | null) => setState(({ openings }) => ({ isOpen: true, item, openings: openings + 1 })),
    [],
  );
  const close = useCallback(() => setState((known) => ({ ...known, isOpen: false })), []);
  return { ...state, open, close };
}
