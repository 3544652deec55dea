import { useState } from 'react';
import { formatPounds } from '#domain/money.ts';
import { payoutsApi } from '#domain/payouts/contract.ts';
import { type PayrunPayment, payrunApi } from '#domain/payouts/payrun-contract.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { ReasonField } from '#web/ui/form/reason-field.tsx';
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx';
import { toastSuccess } from '#web/ui/overlay/toaster.ts';

type EnterReturnDialogProps = {
  payrunId: string;
  payment: PayrunPayment;
  isOpen: boolean;
  onClose: () => void;
};

/** Asks for the bank's reason, then records that a payment to a coach was returned. */
export function EnterReturnDialog({ payrunId, payment, isOpen, onClose }: EnterReturnDialogProps) {
  const { coachId, coachName, amountCents, maskedAccountNumber, bookingCount, deductedCents } = payment;
  const [reason, setReason] = useState('');
  const enter = useApiMutation(payrunApi.enterReturn, {
    invalidates: [
      ...[payrunApi.getPayrun, payrunApi.listPayrunLines, payoutsApi.listPayruns],
      ...[payoutsApi.listPayableBookings, payoutsApi.listPayableCoaches],
    ],
  });
  const save = () =>
    enter.mutate(
      { payrunId, coachId, reason },
      {
        onSuccess: () => {
          toastSuccess('Payment marked as returned', `We'll email ${coachName} and all admins.`);
          onClose();
        },
      },
    );
  const bookings = bookingCount === 1 ? 'Its booking becomes' : `Its ${bookingCount} bookings become`;
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Mark this payment as returned?"
      description={`${formatPounds(amountCents)} to ${coachName}, account ${maskedAccountNumber}. ${bookings} payable again${deductedCents > 0 ? ', and its deductions are owed again' : ''}. You can't undo this.`}
      size="sm"
      onSubmit={save}
      refusal={enter.error}
      cancel="Close"
      submit="Mark as returned"
      isDestructive
      isPending={enter.isPending}
      pendingLabel="Saving..."
    >
      <p className="rounded-md bg-warning-soft px-3 py-3 text-sm text-warning">
        Check your bank statement to make sure that the money has come back. Otherwise, the coach may be paid
        twice.
      </p>
      <ReasonField
        label="The bank's reason"
        error={enter.error?.fields?.reason}
        hint={`We'll email it to ${coachName} and all admins, and add it to the audit log.`}
        value={reason}
        onValueChange={setReason}
      />
    </FormDialog>
  );
}
