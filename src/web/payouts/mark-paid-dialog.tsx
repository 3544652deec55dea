import { type Payrun, payoutsApi } from '#domain/payouts/contract.ts';
import { useApiMutation } from '#web/app/api.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Money } from '#web/ui/money.tsx';
import { toastError, toastSuccess } from '#web/ui/toaster.tsx';

/** Asks before a payrun becomes paid, which cannot be taken back. */
export function MarkPaidDialog({ payrun, onClose }: { payrun: Payrun; onClose: () => void }) {
  const { payrunId, totalAmountCents, coachCount } = payrun;
  const markPaid = useApiMutation(payoutsApi.markPayrunPaid, { invalidates: [payoutsApi.listPayruns] });
  const confirm = () =>
    markPaid.mutate(
      { payrunId },
      {
        onSuccess: () => toastSuccess('Payrun marked as paid', `Payrun ${payrunId.slice(0, 8)}`),
        onError: (error) => toastError(error.message),
        onSettled: onClose,
      },
    );
  return (
    <ConfirmDialog
      open
      onOpenChange={(isOpen) => isOpen || onClose()}
      title="Mark this payrun as paid?"
      confirmLabel="Mark Paid"
      onConfirm={confirm}
      isPending={markPaid.isPending}
      pendingLabel="Marking as paid..."
    >
      <p>
        Confirm that your bank has sent <Money cents={totalAmountCents} /> to{' '}
        {coachCount === 1 ? 'one coach' : `${coachCount} coaches`}.{' '}
        {coachCount === 1 ? 'The coach is' : 'They are'} told by email. This cannot be undone.
      </p>
    </ConfirmDialog>
  );
}
