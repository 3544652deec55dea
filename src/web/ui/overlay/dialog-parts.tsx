import { type ComponentProps, useRef } from 'react';
import { Button } from '../button.tsx';
import { cn } from '../class-names.ts';

export const overlayClasses =
  'fixed inset-0 z-50 bg-overlay data-[state=closed]:animate-fade-out data-[state=open]:animate-fade-in';

/** A dialog's position: a bottom sheet on a phone, centred from 768 px. */
export const panelClasses = cn(
  'fixed z-50 flex flex-col overflow-hidden border bg-popover text-foreground shadow-float outline-none',
  'inset-x-0 bottom-0 max-h-[92dvh] rounded-t-xl border-x-0 border-b-0',
  'data-[state=closed]:animate-slide-down data-[state=open]:animate-slide-up',
  'md:inset-0 md:m-auto md:h-fit md:max-h-[min(92dvh,48rem)] md:rounded-xl md:border',
  'md:data-[state=closed]:animate-sink-out md:data-[state=open]:animate-rise-in',
);

/**
 * Handlers that return the focus to the previously focused element, even for a dialog without a trigger. If the dialog
 * was opened from a menu, the focus returns to the menu's button, because the menu's items no longer exist.
 */
export function useReturnFocus() {
  const origin = useRef<HTMLElement | null>(null);
  const page = useRef('');
  return {
    onOpenAutoFocus() {
      page.current = location.pathname;
      const focused = document.activeElement as HTMLElement | null;
      const menu = focused?.closest('[role="menu"]');
      origin.current = menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : focused;
    },
    onCloseAutoFocus(event: Event) {
      event.preventDefault();
      if (origin.current?.isConnected && page.current === location.pathname) return origin.current.focus();
      // The button was deleted with its item, or the dialog led to another page, so the page's heading gets the focus.
      const heading = document.querySelector<HTMLElement>('main h1');
      heading?.setAttribute('tabindex', '-1');
      heading?.focus({ preventScroll: true });
    },
  };
}

/** The scrolling part of a dialog or sheet. */
export function DialogBody({ className, ...props }: ComponentProps<'div'>) {
  return <div className={cn('px-4 base:pt-1 pb-5 md:px-6', className)} {...props} />;
}

/**
 * The buttons of a dialog or sheet, always visible: stacked on a phone, with the main button on top; otherwise on the
 * right.
 */
export function DialogFooter({ className, ...props }: ComponentProps<'div'>) {
  return (
    <div
      className={cn(
        'sticky bottom-0 z-10 flex base:flex-col-reverse gap-2 border-t bg-popover px-4 pt-4 pb-[max(1rem,env(safe-area-inset-bottom))]',
        'md:flex-row md:items-center base:md:justify-end md:px-6 md:pb-4',
        className,
      )}
      {...props}
    />
  );
}

export type DialogButtonsProps = {
  cancel?: string;
  onCancel: () => void;
  submit: string;
  /** While true, both buttons ignore presses. */
  isPending: boolean;
  /** The button's text beside the spinner while pending. */
  pendingLabel: string;
  isDisabled?: boolean;
  isDestructive?: boolean;
  /** The id of the form, if the buttons are outside it. */
  form?: string;
};

/** The footer of a dialog with a form: a button that closes the dialog and one that submits the form. */
export function DialogButtons({
  cancel = 'Cancel',
  onCancel,
  submit,
  isPending,
  pendingLabel,
  isDisabled = false,
  isDestructive = false,
  form,
}: DialogButtonsProps) {
  return (
    <DialogFooter>
      <Button variant="secondary" onClick={onCancel} disabled={isPending}>
        {cancel}
      </Button>
      <Button
        type="submit"
        form={form}
        variant={isDestructive ? 'destructive' : 'primary'}
        disabled={isDisabled}
        isLoading={isPending}
        loadingText={pendingLabel}
      >
        {submit}
      </Button>
    </DialogFooter>
  );
}
