import { adminApi, type ListedUser } from '#domain/admin/contract.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.ts';

type SignOutDialogProps = { user: ListedUser; isOpen: boolean; onClose: () => void };

/** Asks the admin to confirm signing a person out of every browser. */
export function SignOutDialog({ user, isOpen, onClose }: SignOutDialogProps) {
  const { userId, fullName: name } = user;
  const end = useApiMutation(adminApi.endSessionsOf, { invalidates: [adminApi.listAudit] });

  function signOut() {
    end.mutate(
      { userId },
      {
        onSuccess: ({ ended }) => {
          if (ended === 0) toastSuccess('Already signed out', `${name} isn't signed in anywhere.`);
          else
            toastSuccess(
              'Signed out everywhere',
              `${name}: ${ended} ${ended === 1 ? 'browser' : 'browsers'}.`,
            );
        },
        onError: (error) => toastError(error.message),
        onSettled: onClose,
      },
    );
  }

  return (
    <ConfirmDialog
      open={isOpen}
      onOpenChange={onClose}
      title={`Sign ${name} out everywhere?`}
      confirmLabel="Sign out everywhere"
      isPending={end.isPending}
      pendingLabel="Signing out..."
      isDestructive
      onConfirm={signOut}
    >
      <p>
        {name} will immediately be signed out of every browser and lose any unsaved changes. We'll email them
        to say that an admin did this.
      </p>
      <p>Their password still works. If someone else knows it, ask {name} to choose a new one.</p>
    </ConfirmDialog>
  );
}
