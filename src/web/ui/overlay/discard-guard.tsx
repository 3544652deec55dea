import * as DialogPrimitive from 'radix-ui/dialog';
import { type ReactNode, useRef, useState } from 'react';
import { ConfirmDialog } from './confirm-dialog.tsx';

const notLost =
  '[type=checkbox], [type=radio], [autocomplete=current-password], [autocomplete=one-time-code]';

/**
 * Protects typed input in a dialog: Escape and presses outside ask first. Buttons that close the dialog do so
 * immediately, because pressing them is deliberate. Call this in the dialog's content.
 */
export function useDiscardGuard() {
  const isTyped = useRef(false);
  const [isAsking, setAsking] = useState(false);
  const close = useRef<HTMLButtonElement>(null);
  const ask = (event: Event) => {
    if (!isTyped.current) return;
    event.preventDefault();
    setAsking(true);
  };
  const question: ReactNode = (
    <>
      <DialogPrimitive.Close ref={close} hidden tabIndex={-1} />
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Discard your changes?"
        confirmLabel="Discard"
        cancelLabel="Keep editing"
        isDestructive
        onConfirm={() => {
          setAsking(false);
          close.current?.click();
        }}
      >
        <p>Your changes haven't been saved yet.</p>
      </ConfirmDialog>
    </>
  );
  const onInput = ({ target }: { target: EventTarget }) => {
    // Only typed text is protected: choices, passwords and codes are quick to enter again.
    isTyped.current ||= (target as Element).matches(`textarea, input:not(${notLost})`);
  };
  return { question, onInput, onEscapeKeyDown: ask, onPointerDownOutside: ask };
}
