import { useRef } from 'react';
import { adminApi, type ListedUser } from '#domain/admin/contract.ts';
import { useApiMutation } from '#web/app/api/api.ts';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.tsx';

type SignOutDialogProps = { user: ListedUser | null; onClose: () => void };

/** Confirms signing a person out of every browser. */
export function SignOutDialog({ user, onClose }: SignOutDialogProps) {
  // Keeps its text while it closes.
  const last = useRef(user);
  if (user) last.current = user;
  const name = last.current?.fullName;
  const end = useApiMutation(adminApi.endSessionsOf, { invalidates: [adminApi.listAudit] });

  function signOut({ userId }: ListedUser) {
    end.mutate(
      { userId },
      {
        onSuccess: ({ ended }) => {
          if (ended === 0) toastSuccess('Nothing to sign out', `${name} isn't signed in anywhere.`);
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
        {name} is signed out of every browser immediately and loses unsaved changes. We'll email them that an
        admin did this.
      </p>
      <p>Their password still works. If someone else knows it, ask {name} to choose a new one.</p>
    </ConfirmDialog>
  );
}
