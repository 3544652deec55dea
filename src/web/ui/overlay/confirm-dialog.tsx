import * as AlertDialog from 'radix-ui/alert-dialog';
import type { ReactNode } from 'react';
import { Button } from '../button.tsx';
import { cn } from '../class-names.ts';
import { DialogBody, DialogFooter, overlayClasses, panelClasses, useReturnFocus } from './dialog-parts.tsx';

type ConfirmDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The question: "Cancel this booking?" */
  title: string;
  /** The consequences, with figures. */
  children: ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  isDestructive?: boolean;
  /** While true, the dialog stays open and ignores both buttons; the caller closes the dialog when done. */
  isPending?: boolean;
  /** The button's text beside the spinner while pending. */
  pendingLabel?: string;
  onConfirm: () => void;
};

/** Asks for confirmation of an action. Focus starts on the safe button; a press outside does nothing. */
export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  children,
  confirmLabel,
  cancelLabel = 'Cancel',
  isDestructive = false,
  isPending = false,
  pendingLabel,
  onConfirm,
}: ConfirmDialogProps) {
  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => (isPending ? undefined : onOpenChange(next))}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={overlayClasses} />
        <AlertDialog.Content {...useReturnFocus()} className={cn(panelClasses, 'md:max-w-[28rem]')}>
          <div className="min-h-0 overflow-y-auto overscroll-contain">
            <DialogBody className="pt-5 md:pt-6">
              <AlertDialog.Title className="text-lg">{title}</AlertDialog.Title>
              <AlertDialog.Description asChild>
                <div className="mt-2 space-y-2 text-sm text-muted-foreground">{children}</div>
              </AlertDialog.Description>
            </DialogBody>
            <DialogFooter>
              <AlertDialog.Cancel asChild>
                <Button variant="secondary" disabled={isPending}>
                  {cancelLabel}
                </Button>
              </AlertDialog.Cancel>
              <Button
                variant={isDestructive ? 'destructive' : 'primary'}
                isLoading={isPending}
                loadingText={pendingLabel}
                // The second click of a double click must confirm neither this question nor the next.
                onClick={({ detail }) => detail < 2 && onConfirm()}
              >
                {confirmLabel}
              </Button>
            </DialogFooter>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
