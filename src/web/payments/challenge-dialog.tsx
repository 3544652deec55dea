import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogBody, DialogClose, DialogContent, DialogFooter } from '#web/ui/overlay/dialog.tsx';
import type { ShowChallenge } from './sandbox-stripe.ts';

/**
 * The bank's page in a dialog over the current page. `show` opens it and resolves when the page reports an answer or
 * the customer closes the dialog. The caller must render `dialog`.
 */
export function useChallenge(): { show: ShowChallenge; dialog: React.ReactNode } {
  const [address, setAddress] = useState<string | null>(null);
  const finish = useRef<() => void>(undefined);
  const show = useCallback<ShowChallenge>((next) => {
    setAddress(next);
    return new Promise((resolve) => {
      finish.current = resolve;
    });
  }, []);
  const close = useCallback(() => {
    setAddress(null);
    finish.current?.();
  }, []);
  // Listens before the browser can load the frame, which is added in the same task.
  useLayoutEffect(() => {
    if (!address) return;
    const listen = (event: MessageEvent) => {
      if (event.origin === location.origin && event.data?.type === 'app-sandbox-3ds') close();
    };
    window.addEventListener('message', listen);
    return () => window.removeEventListener('message', listen);
  }, [address, close]);
  const dialog = (
    <Dialog open={address !== null} onOpenChange={(isOpen) => !isOpen && close()}>
      <DialogContent
        title="Your bank needs to check it's you"
        size="sm"
        onInteractOutside={(event) => event.preventDefault()}
        // If the empty frame had the focus, Escape would do nothing. Tab moves the focus into the frame.
        onOpenAutoFocus={(event) => {
          event.preventDefault();
          (event.currentTarget as HTMLElement).focus();
        }}
      >
        <DialogBody>
          {address && (
            <iframe
              title="Your bank's security check"
              src={address}
              className="h-88 w-full rounded-md border bg-card"
            />
          )}
        </DialogBody>
        <DialogFooter>
          {/* Escape works on the bank's page too, but not everyone knows that. */}
          <DialogClose asChild>
            <Button variant="secondary">Stop without confirming</Button>
          </DialogClose>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
  return { show, dialog };
}
