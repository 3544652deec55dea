import type { ReactNode } from 'react';
import type { Endpoint, InputOf } from '#domain/endpoint.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.ts';

type DeleteDialogProps<E extends Endpoint> = {
  isOpen: boolean;
  onClose: () => void;
  endpoint: E;
  /** The item to delete and its name; null until the dialog is first opened. */
  itemToDelete: { input: InputOf<E>; name: string } | null;
  /** The endpoint that lists the items; refetched after the deletion. */
  list: Endpoint;
  /** The toast after the deletion, such as "Location deleted". */
  done: string;
  /** The text that explains what happens to the item and to everything made from it. */
  children: ReactNode;
};

/** Asks the coach to confirm deleting an item, and deletes it. */
export function DeleteDialog<E extends Endpoint>(props: DeleteDialogProps<E>) {
  const { isOpen, onClose, endpoint, itemToDelete, list, done, children } = props;
  const remove = useApiMutation(endpoint, { invalidates: [list] });
  function confirm() {
    if (!itemToDelete) return;
    remove.mutate(itemToDelete.input, {
      onSuccess: () => toastSuccess(done, itemToDelete.name),
      onError: (error) => toastError(error.message),
      onSettled: onClose,
    });
  }
  return (
    <ConfirmDialog
      open={isOpen}
      onOpenChange={onClose}
      title={`Delete “${itemToDelete?.name}”?`}
      confirmLabel="Delete"
      isDestructive
      isPending={remove.isPending}
      pendingLabel="Deleting..."
      onConfirm={confirm}
    >
      {children}
    </ConfirmDialog>
  );
}
