import { useState } from 'react';
import { type FailedRefund, refundsApi } from '#domain/bookings/refunds-contract.ts';
import { formatPounds } from '#domain/money.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { CheckboxField } from '#web/ui/form/checkbox.tsx';
import { ReasonField } from '#web/ui/form/reason-field.tsx';
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx';
import { toastSuccess } from '#web/ui/overlay/toaster.ts';

type SettleRefundDialogProps = { refund: FailedRefund; isOpen: boolean; onClose: () => void };

/** Records how an admin paid a customer back after the refund through Stripe failed. */
export function SettleRefundDialog({ refund, isOpen, onClose }: SettleRefundDialogProps) {
  const { refundId, amountCents, customerName, refundedInStripeCents } = refund;
  const canBeThere = refundedInStripeCents >= amountCents;
  const [reason, setReason] = useState('');
  const [isRefundedInStripe, setIsRefundedInStripe] = useState(canBeThere);
  const settle = useApiMutation(refundsApi.settle, { invalidates: [refundsApi.listFailed] });

  const save = () =>
    settle.mutate(
      { refundId, reason, isRefundedInStripe },
      {
        onSuccess: () => {
          toastSuccess('Refund settled', `${customerName} will be emailed.`);
          onClose();
        },
      },
    );

  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Settle another way"
      description={`Record how ${customerName} was paid ${formatPounds(amountCents)}. We'll email them what you write here.`}
      size="sm"
      onSubmit={save}
      refusal={settle.error}
      submit="Mark as settled"
      isPending={settle.isPending}
      pendingLabel="Saving..."
    >
      {canBeThere && (
        <CheckboxField
          label="The customer was refunded in Stripe"
          hint={`${formatPounds(refundedInStripeCents)} of this payment was refunded directly in Stripe, not by us.`}
          checked={isRefundedInStripe}
          onChange={({ target }) => setIsRefundedInStripe(target.checked)}
        />
      )}
      <ReasonField
        label="How was the refund paid?"
        error={settle.error?.fields?.reason}
        hint="We'll email this text to the customer and add it to the audit log. Example: “Bank transfer on 3 March”."
        value={reason}
        onValueChange={setReason}
      />
    </FormDialog>
  );
}
