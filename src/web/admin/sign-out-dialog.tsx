import { useRef } from 'react';
import { adminApi, type ListedUser } from '#domain/admin/contract.ts';
import { useApiMutation } from '#web/app/api/api.ts';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.tsx';

type SignOutDialogProps = { user: ListedUser | null; onClose: () => void };

/** Asks an admin whether to sign somebody out of every browser. */
export function SignOutDialog({ user, onClose }: SignOutDialogProps) {
  // Keeps its words while it closes.
  const last = useRef(user);
  if (user) last.current = user;
  const name = last.current?.fullName;
  const end = useApiMutation(adminApi.endSessionsOf, { invalidates: [adminApi.listAudit] });

  function signOut({ userId }: ListedUser) {
    end.mutate(
      { userId },
      {
        onSuccess: ({ ended }) => {
          if (ended === 0) toastSuccess('Nothing to sign out', `${name} is not signed in anywhere.`);
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
      open={user !== null}
      onOpenChange={onClose}
      title={`Sign ${name} out everywhere?`}
      confirmLabel="Sign out everywhere"
      isPending={end.isPending}
      pendingLabel="Signing out..."
      isDestructive
      onConfirm={() => user && signOut(user)}
    >
      <p>
        {name} is signed out of every browser at once; what is not saved there is lost. An email says that an
        admin did it.
      </p>
      <p>The password still works. If somebody else knows it, ask {name} to choose a new one.</p>
    </ConfirmDialog>
  );
}
