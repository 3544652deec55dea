import { useBlocker } from '@tanstack/react-router';
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { askBeforeSignOut } from '#web/app/auth/person-line.tsx';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';

const ReportUnsaved = createContext<(form: string, isUnsaved: boolean) => void>(() => {});

/** Reports to the surrounding {@link UnsavedGuard} whether a form has unsaved changes. */
export function useReportUnsaved(isUnsaved: boolean): void {
  const form = useId();
  const report = useContext(ReportUnsaved);
  useEffect(() => {
    report(form, isUnsaved);
    return () => report(form, false);
  }, [form, isUnsaved, report]);
}

type Address = { pathname: string; search: object };
const tabOf = ({ search }: Address) => (search as { tab?: unknown }).tab;

/**
 * Asks before unsaved input in `children` is lost by signing out, or by going to another page or another tab
 * of this page. Has the browser ask before the app is closed, reloaded or left.
 */
export function UnsavedGuard({ children }: { children: ReactNode }) {
  const unsaved = useRef(new Set<string>());
  const root = useRef<HTMLDivElement>(null);
  const lastChanged = useRef<HTMLElement | null>(null);
  const report = useCallback((form: string, isUnsaved: boolean) => {
    if (isUnsaved) unsaved.current.add(form);
    else unsaved.current.delete(form);
  }, []);
  // Focusing a tab opens it. "Keep editing" returns the focus to the previous element, which must not be a tab.
  const focusField = useCallback(() => {
    const field = lastChanged.current;
    (field?.isConnected && field.offsetParent ? field : root.current)?.focus({ preventScroll: true });
  }, []);
  const [signOut, setSignOut] = useState<{ answer: (isFine: boolean) => void } | null>(null);
  useEffect(
    () =>
      askBeforeSignOut(async () => {
        if (unsaved.current.size === 0) return true;
        focusField();
        return new Promise<boolean>((answer) => setSignOut({ answer }));
      }),
    [focusField],
  );
  const shouldBlockFn = useCallback(
    ({ current, next }: { current: Address; next: Address }) => {
      if (unsaved.current.size === 0) return false;
      if (current.pathname === next.pathname && tabOf(current) === tabOf(next)) return false;
      focusField();
      return true;
    },
    [focusField],
  );
  const enableBeforeUnload = useCallback(() => unsaved.current.size > 0, []);
  const blocker = useBlocker({ shouldBlockFn, enableBeforeUnload, withResolver: true });
  function answer(isFine: boolean) {
    if (!signOut) return isFine ? blocker.proceed?.() : blocker.reset?.();
    // Otherwise the browser would ask the same question again.
    if (isFine) unsaved.current.clear();
    setSignOut(null);
    signOut.answer(isFine);
  }
  return (
    <ReportUnsaved value={report}>
      <div
        ref={root}
        tabIndex={-1}
        className="outline-none"
        onInput={({ target }) => {
          lastChanged.current = target as HTMLElement;
        }}
      >
        {children}
      </div>
      <ConfirmDialog
        open={blocker.status === 'blocked' || signOut !== null}
        onOpenChange={(isOpen) => isOpen || answer(false)}
        title="Discard your changes?"
        confirmLabel="Discard"
        cancelLabel="Keep editing"
        isDestructive
        onConfirm={() => answer(true)}
      >
        <p>Your changes haven't been saved yet.</p>
      </ConfirmDialog>
    </ReportUnsaved>
  );
}
