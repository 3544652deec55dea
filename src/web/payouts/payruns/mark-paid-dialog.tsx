import { useState } from 'react';
import { type Payrun, payoutsApi } from '#domain/payouts/contract.ts';
import { payrunApi } from '#domain/payouts/payrun-contract.ts';
import { shortReference } from '#domain/reference.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { CheckboxField } from '#web/ui/form/checkbox.tsx';
import { Money } from '#web/ui/money.tsx';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.ts';
import { PayrunWarnings } from './payrun-warnings.tsx';

type MarkPaidDialogProps = { payrun: Payrun; isOpen: boolean; onClose: () => void };

/**
 * Asks the admin to confirm marking a payrun as paid, which cannot be undone; warns if its file was never downloaded or
 * if it contains withheld bookings.
 */
export function MarkPaidDialog({ payrun, isOpen, onClose }: MarkPaidDialogProps) {
  const { payrunId, totalAmountCents, coachCount, exportedAt, withheldBookings } = payrun;
  const [isSent, setIsSent] = useState(false);
  const hasWithheld = withheldBookings.length > 0;
  const markPaid = useApiMutation(payoutsApi.markPayrunPaid, {
    invalidates: [payoutsApi.listPayruns, payrunApi.getPayrun],
  });
  const confirm = () =>
    markPaid.mutate(
      { payrunId, despiteWithheld: hasWithheld && isSent },
      {
        onSuccess: () => toastSuccess('Payrun marked as paid', `Payrun ${shortReference(payrunId)}`),
        onError: (error) => toastError(error.message),
        onSettled: onClose,
      },
    );
  return (
    <ConfirmDialog
      open={isOpen}
      onOpenChange={(next) => next || onClose()}
      title="Mark this payrun as paid?"
      confirmLabel="Mark Paid"
      onConfirm={confirm}
      isPending={markPaid.isPending}
      pendingLabel="Marking as paid..."
    >
      {exportedAt === null && (
        <p className="text-warning">
          Nobody has downloaded this payrun's file. Check that your bank has paid the coaches. If not,
          download the CSV first.
        </p>
      )}
      {hasWithheld && (
        <>
          <PayrunWarnings payrun={payrun} />
          <p>Cancel the payrun instead, unless your bank has already sent the money.</p>
          <CheckboxField
            label="My bank has already sent the money"
            checked={isSent}
            onChange={({ target }) => setIsSent(target.checked)}
          />
        </>
      )}
      <p>
        Confirm that your bank has sent <Money cents={totalAmountCents} /> to{' '}
        {coachCount === 1 ? 'one coach' : `${coachCount} coaches`}. {coachCount === 1 ? 'The coach' : 'They'}{' '}
        will be emailed. You can't undo this.
      </p>
    </ConfirmDialog>
  );
}
