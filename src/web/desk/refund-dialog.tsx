import { useState } from 'react';
import { describeCard, refundArrival } from '#domain/card-labels.ts';
import { deskApi } from '#domain/desk/contract.ts';
import type { DeskBooking } from '#domain/desk/desk-booking.ts';
import { type Bearer, bearers } from '#domain/desk/history.ts';
import { formatPounds } from '#domain/money.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { PoundsInput } from '#web/ui/form/pounds-input.tsx';
import { RadioGroup } from '#web/ui/form/radio-group.tsx';
import { ReasonField } from '#web/ui/form/reason-field.tsx';
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx';
import { toastSuccess } from '#web/ui/overlay/toaster.ts';
import { bearerLabels } from './desk-labels.ts';

type RefundDialogProps = { booking: DeskBooking; isOpen: boolean; onClose: () => void };

const bearerHints: Record<Bearer, string> = {
  platform: "The coach's earnings stay as they are.",
  coach:
    "The coach's earnings go down by the refund, less the refund's share of our fee. If we've already paid the coach, we'll deduct the difference from their next payout.",
};

/** Refunds all or part of a booking, with a reason that the customer reads. */
export function RefundDialog({ booking, isOpen, onClose }: RefundDialogProps) {
  const { bookingId, customerName, card, singleAdminCents } = booking;
  const [amountCents, setAmountCents] = useState<number | null>(booking.leftCents);
  // Counts how often a preset amount was chosen. As the field's key, the count makes the field show the preset
  // instead of the typed amount.
  const [preset, setPreset] = useState(0);
  const [borneBy, setBorneBy] = useState<Bearer>('platform');
  const [reason, setReason] = useState('');
  const refund = useApiMutation(deskApi.refund, { invalidates: [deskApi.get, deskApi.listRequests] });
  // Someone else may refund part of the booking while the dialog is open.
  const changedCents = refund.error?.details?.leftCents as number | undefined;
  const leftCents = changedCents ?? booking.leftCents;
  const needsSecondAdmin = singleAdminCents !== null && (amountCents ?? 0) > singleAdminCents;

  function choose(cents: number) {
    setAmountCents(cents);
    setPreset((chosen) => chosen + 1);
  }
  const save = () =>
    refund.mutate(
      { bookingId, amountCents: amountCents ?? 0, borneBy, reason, expectedLeftCents: leftCents },
      {
        onSuccess: ({ outcome }) => {
          const amount = formatPounds(amountCents ?? 0);
          if (outcome === 'made') toastSuccess(`${amount} refunded`, `We'll email ${customerName}.`);
          else toastSuccess('A second admin has to approve this', "We'll email all other admins.");
          onClose();
        },
      },
    );

  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Refund this booking"
      description={`${formatPounds(leftCents)} can still be refunded${card ? ` to ${describeCard(card)}` : ''}. The money arrives in ${refundArrival}. You can't undo a refund.`}
      size="sm"
      onSubmit={save}
      refusal={refund.error}
      submit={needsSecondAdmin ? 'Ask a second admin' : 'Refund'}
      isPending={refund.isPending}
      pendingLabel="Refunding..."
    >
      <FormField
        label="Amount"
        error={refund.error?.fields?.amountCents}
        hint={
          needsSecondAdmin
            ? singleAdminCents > 0
              ? `You can refund ${formatPounds(singleAdminCents)} of this booking on your own. A second admin has to approve anything above that.`
              : 'A second admin has to approve refunds of this booking.'
            : undefined
        }
      >
        <PoundsInput key={preset} defaultCents={amountCents} onCentsChange={setAmountCents} />
      </FormField>
      <div className="-mt-3 flex gap-2">
        <Button size="sm" variant="secondary" onClick={() => choose(Math.round(leftCents / 2))}>
          Half
        </Button>
        <Button size="sm" variant="secondary" onClick={() => choose(leftCents)}>
          All
        </Button>
      </div>
      <FormField label="Who bears the refund?" isGroup>
        <RadioGroup
          value={borneBy}
          onValueChange={setBorneBy}
          options={bearers.toReversed().map((value) => ({
            value,
            label: bearerLabels[value],
            hint: bearerHints[value],
          }))}
        />
      </FormField>
      <ReasonField
        error={refund.error?.fields?.reason}
        hint="We'll email the reason to the customer, and to the coach if the coach bears the refund. Example: “The lesson ended early”."
        value={reason}
        onValueChange={setReason}
      />
    </FormDialog>
  );
}
