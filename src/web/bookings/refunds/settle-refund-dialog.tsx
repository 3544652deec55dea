import { type FormEvent, useState } from 'react';
import { type GivenUpRefund, refundsApi } from '#domain/bookings/refunds-contract.ts';
import { formatPounds } from '#domain/money.ts';
import { useApiMutation } from '#web/app/api/api.ts';
import { CheckboxField } from '#web/ui/form/checkbox.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { Dialog, DialogBody, DialogButtons, DialogContent } from '#web/ui/overlay/dialog.tsx';
import { toastSuccess } from '#web/ui/overlay/toaster.tsx';
import { DialogRefusal } from '../changes/cancellation-reason-field.tsx';

type SettleRefundDialogProps = { refund: GivenUpRefund; isOpen: boolean; onClose: () => void };

/** Records how an admin paid a customer a refund that the card network refused. */
export function SettleRefundDialog({ refund, isOpen, onClose }: SettleRefundDialogProps) {
  const { refundId, amountCents, customerName, atCardNetworkCents } = refund;
  const canBeThere = atCardNetworkCents >= amountCents;
  const [reason, setReason] = useState('');
  const [isAtCardNetwork, setIsAtCardNetwork] = useState(canBeThere);
  const settle = useApiMutation(refundsApi.settle, { invalidates: [refundsApi.listGivenUp] });
  const fieldError = settle.error?.fields?.reason;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (settle.isPending) return;
    settle.mutate(
      { refundId, reason, isAtCardNetwork },
      {
        onSuccess: () => {
          toastSuccess('Refund settled', `${customerName} is emailed.`);
          onClose();
        },
      },
    );
  }

  return (
    <Dialog open={isOpen} onOpenChange={(next) => next || settle.isPending || onClose()}>
      <DialogContent
        title="Settled another way"
        description={`${customerName} has been paid ${formatPounds(amountCents)} another way. We'll email them what you write here.`}
        size="sm"
      >
        <form noValidate onSubmit={submit}>
          <DialogBody className="space-y-5">
            {canBeThere && (
              <CheckboxField
                label="It was refunded at the card network"
                hint={`${formatPounds(atCardNetworkCents)} of this payment was refunded there.`}
                checked={isAtCardNetwork}
                onChange={({ target }) => setIsAtCardNetwork(target.checked)}
              />
            )}
            <FormField
              label="How was it paid?"
              error={fieldError}
              hint="The customer and the audit log see this, for example “Bank transfer on 3 March”."
            >
              <Input
                autoComplete="off"
                maxLength={300}
                value={reason}
                onChange={(event) => setReason(event.target.value)}
              />
            </FormField>
            <DialogRefusal message={fieldError ? undefined : settle.error?.message} />
          </DialogBody>
          <DialogButtons
            onCancel={onClose}
            submit="Mark as settled"
            isPending={settle.isPending}
            pendingLabel="Saving..."
          />
        </form>
      </DialogContent>
    </Dialog>
  );
}
