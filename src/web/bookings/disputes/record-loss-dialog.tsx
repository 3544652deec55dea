import { useState } from 'react';
import { formatPounds } from '#domain/money.ts';
import { divideLoss, lossOf, refuseDivision } from '#domain/payments/disputes.ts';
import { type Dispute, disputesApi } from '#domain/payments/disputes-contract.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { FormField } from '#web/ui/form/form-field.tsx';
import { PoundsInput } from '#web/ui/form/pounds-input.tsx';
import { RadioGroup } from '#web/ui/form/radio-group.tsx';
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx';
import { toastSuccess } from '#web/ui/overlay/toaster.ts';

type RecordLossDialogProps = { dispute: Dispute; onClose: () => void };

const bearers = [
  { value: 'platform', label: 'The platform', hint: "The coach's earnings stay as they are." },
  {
    value: 'coach',
    label: 'The coach',
    hint: "We'll deduct the coach's share from their earnings and email them.",
  },
] as const;

/**
 * Asks who bears the loss of a dispute and, if the bank took less than what is left of several bookings' payments, how
 * to divide the loss among these bookings.
 */
export function RecordLossDialog({ dispute, onClose }: RecordLossDialogProps) {
  const { disputeId, amountCents, bookings } = dispute;
  const loss = lossOf(amountCents, bookings);
  const known = divideLoss(amountCents, bookings);
  const [borneBy, setBorneBy] = useState<'platform' | 'coach'>('platform');
  const [parts, setParts] = useState<ReadonlyMap<string, number | null>>(
    known ?? new Map(bookings.map(({ bookingId }) => [bookingId, 0])),
  );
  const record = useApiMutation(disputesApi.recordLoss, {
    invalidates: [disputesApi.getDispute, disputesApi.listDisputes],
  });
  const typed = [...parts].map(([bookingId, cents]) => ({ bookingId, cents: cents ?? 0 }));
  const wrong = refuseDivision(
    amountCents,
    bookings,
    new Map(typed.map(({ bookingId, cents }) => [bookingId, cents])),
  );
  const save = () =>
    record.mutate(
      { disputeId, borneBy, lines: typed },
      {
        onSuccess: () => {
          toastSuccess('Loss recorded', formatPounds(loss));
          onClose();
        },
      },
    );
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title="Record the loss"
      description={`The bank took ${formatPounds(amountCents)}. We'll record this as a refund of ${formatPounds(loss)}. You can't undo this.`}
      size="sm"
      onSubmit={save}
      refusal={record.error}
      submit="Record the loss"
      isDisabled={wrong !== null}
      isPending={record.isPending}
      pendingLabel="Recording..."
    >
      <FormField label="Who bears the loss?" isGroup>
        <RadioGroup value={borneBy} onValueChange={setBorneBy} options={bearers} />
      </FormField>
      {known === null && (
        <>
          {bookings.map(({ bookingId, title, leftCents }) => (
            <FormField key={bookingId} label={title} hint={`At most ${formatPounds(leftCents)}`}>
              <PoundsInput
                defaultCents={0}
                onCentsChange={(cents) => setParts(new Map(parts).set(bookingId, cents))}
              />
            </FormField>
          ))}
          {wrong && <p className="text-sm text-muted-foreground">{wrong.message}</p>}
        </>
      )}
    </FormDialog>
  );
}
