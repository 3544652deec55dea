import type { ReactNode } from 'react';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';

type RemovePictureDialogProps = {
  isOpen: boolean;
  onClose: () => void;
  title?: string;
  /** Default: "Keep picture". An admin's decision to keep a picture is another button. */
  cancelLabel?: string;
  isPending: boolean;
  onConfirm: () => void;
  /** The consequences. */
  children: ReactNode;
};

/** Asks for confirmation before a picture is deleted. */
export function RemovePictureDialog({
  isOpen,
  onClose,
  title = 'Remove this picture?',
  cancelLabel = 'Keep picture',
  ...props
}: RemovePictureDialogProps) {
  return (
    <ConfirmDialog
      {...props}
      open={isOpen}
      onOpenChange={(next) => next || onClose()}
      title={title}
      confirmLabel="Remove picture"
      cancelLabel={cancelLabel}
      isDestructive
      pendingLabel="Removing..."
    />
  );
}
