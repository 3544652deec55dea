import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ownAccountApi } from '#domain/account/contract.ts';
import type { AppError } from '#domain/errors.ts';
import { callApi, useApi } from '#web/app/api/api.ts';
import { useProduct } from '#web/app/api/product.ts';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { PasswordDialog } from '#web/auth/security/password-dialog.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.tsx';
import { ErrorState } from '#web/ui/page/error-state.tsx';
import { Skeleton } from '#web/ui/page/skeleton.tsx';

/** Deletes the account, or lists its blockers. */
export function DeleteAccount() {
  const { data, error, refetch, isRefetching } = useApi(ownAccountApi.getDeletion, {}, { staleTime: 0 });
  const [isAsking, setIsAsking] = useState(false);
  const { contactEmail } = useProduct();
  if (!data) {
    return error ? (
      <ErrorState
        title="We couldn't check whether you can delete your account"
        message={error.message}
        onRetry={() => void refetch()}
        isRetrying={isRefetching}
      />
    ) : (
      <Skeleton className="h-10 w-40" />
    );
  }
  if (data.blockers.length > 0) {
    return (
      <>
        <p>Your account can be deleted once this is settled:</p>
        <ul className="mt-3 list-disc space-y-1.5 pl-5">
          {data.blockers.map((blocker) => (
            <li key={blocker}>{blocker}</li>
          ))}
        </ul>
        {contactEmail && (
          <p className="mt-3 text-sm text-muted-foreground">
            Questions? Write to{' '}
            <a href={`mailto:${contactEmail}`} className="text-primary underline underline-offset-4">
              {contactEmail}
            </a>
            .
          </p>
        )}
        <Button
          variant="secondary"
          className="mt-4 max-sm:w-full"
          onClick={() => void refetch()}
          isLoading={isRefetching}
        >
          Check again
        </Button>
      </>
    );
  }
  return (
    <>
      <p className="text-muted-foreground">
        Your name, addresses, saved card and bank details are erased, and you are signed out everywhere. Paid
        lessons stay in our books without your name. This cannot be undone.
      </p>
      <Button
        variant="secondary"
        className="mt-4 text-destructive max-sm:w-full"
        onClick={() => setIsAsking(true)}
      >
        Delete your account
      </Button>
      <Dialog open={isAsking} onOpenChange={setIsAsking}>
        <DeletionDialog
          onCancel={() => setIsAsking(false)}
          onRefused={() => {
            setIsAsking(false);
            void refetch();
          }}
        />
      </Dialog>
    </>
  );
}

function DeletionDialog({ onCancel, onRefused }: { onCancel: () => void; onRefused: () => void }) {
  const { signOut } = useAuth();
  const navigate = useNavigate();

  async function deleteAccount() {
    try {
      await callApi(ownAccountApi.deleteAccount, {});
    } catch (failure) {
      const { code, message } = failure as AppError;
      toastError(message);
      if (code === 'conflict') onRefused();
      return;
    }
    await signOut();
    toastSuccess('Account deleted', "We've sent you a last email about it.");
    await navigate({ to: '/login' });
  }

  return (
    <PasswordDialog
      title="Delete your account?"
      description="You can't undo this, and neither can we. Enter your password to continue."
      action="Delete for good"
      actionRunning="Deleting..."
      isDestructive
      cancel="Keep the account"
      onCancel={onCancel}
      onConfirmed={deleteAccount}
    />
  );
}
