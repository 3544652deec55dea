import { useState } from 'react';
import { applicationsApi } from '#domain/verification/applications-contract.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.ts';

/** Withdraws the open application after a confirmation. `before` runs first, to save what was typed. */
export function WithdrawApplication({ before }: { before?: () => Promise<unknown> }) {
  const [isAsking, setIsAsking] = useState(false);
  const withdraw = useApiMutation(applicationsApi.withdraw, {
    invalidates: [applicationsApi.getOwn],
    onSuccess: () => toastSuccess('Application withdrawn'),
  });
  async function confirm() {
    await before?.();
    withdraw.mutate(
      {},
      {
        onError: (error) => toastError(error.message),
        onSettled: () => setIsAsking(false),
      },
    );
  }
  return (
    <>
      <Button variant="ghost" onClick={() => setIsAsking(true)}>
        Withdraw application
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title="Withdraw your application?"
        confirmLabel="Withdraw"
        cancelLabel="Keep application"
        isDestructive
        isPending={withdraw.isPending}
        pendingLabel="Withdrawing..."
        onConfirm={() => void confirm()}
      >
        <p>We won't read it any more. You can apply again later with the same answers.</p>
      </ConfirmDialog>
    </>
  );
}
