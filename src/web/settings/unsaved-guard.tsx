import { useBlocker } from '@tanstack/react-router';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useId, useRef } from 'react';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';

const ReportUnsaved = createContext<(form: string, isUnsaved: boolean) => void>(() => {});

/** Tells an {@link UnsavedGuard} whether a form inside has unsaved changes. */
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
 * Asks before another tab or page, and lets the browser ask before another site, discards unsaved input of the forms
 * inside.
 */
export function UnsavedGuard({ children }: { children: ReactNode }) {
  const unsaved = useRef(new Set<string>());
  const root = useRef<HTMLDivElement>(null);
  const lastChanged = useRef<HTMLElement | null>(null);
  const report = useCallback((form: string, isUnsaved: boolean) => {
    if (isUnsaved) unsaved.current.add(form);
    else unsaved.current.delete(form);
  }, []);
  const shouldBlockFn = useCallback(({ current, next }: { current: Address; next: Address }) => {
    if (unsaved.current.size === 0) return false;
    if (current.pathname === next.pathname && tabOf(current) === tabOf(next)) return false;
    // A tab opens on focus. "Keep editing" returns the focus to the previous element, which must not be that tab.
    const field = lastChanged.current;
    (field?.isConnected && field.offsetParent ? field : root.current)?.focus({ preventScroll: true });
    return true;
  }, []);
  const enableBeforeUnload = useCallback(() => unsaved.current.size > 0, []);
  const blocker = useBlocker({ shouldBlockFn, enableBeforeUnload, withResolver: true });
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
        open={blocker.status === 'blocked'}
        onOpenChange={(isOpen) => isOpen || blocker.reset?.()}
        title="Discard what you typed?"
        confirmLabel="Discard"
        cancelLabel="Keep editing"
        isDestructive
        onConfirm={() => blocker.proceed?.()}
      >
        <p>It isn't saved yet.</p>
      </ConfirmDialog>
    </ReportUnsaved>
  );
}
