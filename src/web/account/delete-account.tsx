import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ownAccountApi } from '#domain/account/contract.ts';
import type { AppError } from '#domain/errors.ts';
import { callApi, useApi } from '#web/app/api/api.ts';
import { useProduct } from '#web/app/api/product.ts';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { ProofDialog } from '#web/auth/security/proof-dialog.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.ts';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { Skeleton } from '#web/ui/page/skeleton.tsx';

/** Deletes the account, or lists what blocks its deletion. */
export function DeleteAccount() {
  const query = useApi(ownAccountApi.getDeletion, {}, { staleTime: 0 });
  return (
    <QueryView
      query={query}
      isPart
      failure="We couldn't check whether you can delete your account"
      skeleton={<Skeleton className="h-10 w-40" />}
    >
      {({ blockers }) =>
        blockers.length > 0 ? (
          <Blockers blockers={blockers} isChecking={query.isFetching} onCheck={() => void query.refetch()} />
        ) : (
          <Deletion onRefused={() => void query.refetch()} />
        )
      }
    </QueryView>
  );
}

type BlockersProps = { blockers: string[]; isChecking: boolean; onCheck: () => void };

function Blockers({ blockers, isChecking, onCheck }: BlockersProps) {
  const { contactEmail } = useProduct();
  return (
    <>
      <p>You can't delete your account yet:</p>
      <ul className="mt-3 list-disc space-y-1.5 pl-5">
        {blockers.map((blocker) => (
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
      <Button variant="secondary" className="mt-4 max-sm:w-full" onClick={onCheck} isLoading={isChecking}>
        Check again
      </Button>
    </>
  );
}

function Deletion({ onRefused }: { onRefused: () => void }) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <p className="text-muted-foreground">
        We'll erase your name, email address, saved card and bank details, and sign you out everywhere. Paid
        lessons stay in our records without your name. This can't be undone.
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
            onRefused();
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
    toastSuccess('Account deleted', "We've sent you a confirmation email.");
    await navigate({ to: '/login' });
  }

  return (
    <ProofDialog
      factorId={null}
      title="Delete your account?"
      description="You can't undo this, and neither can we. Enter your password to continue."
      action="Delete account"
      actionRunning="Deleting..."
      isDestructive
      cancel="Keep my account"
      onCancel={onCancel}
      onConfirmed={deleteAccount}
    />
  );
}
