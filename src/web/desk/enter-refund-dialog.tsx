import { useState } from 'react';
import { deskApi } from '#domain/desk/contract.ts';
import type { UnenteredRefund } from '#domain/desk/desk-booking.ts';
import { type Bearer, bearers } from '#domain/desk/history.ts';
import { formatPounds } from '#domain/money.ts';
import { formatLessonTime } from '#domain/time.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { FormField } from '#web/ui/form/form-field.tsx';
import { PoundsInput } from '#web/ui/form/pounds-input.tsx';
import { RadioGroup } from '#web/ui/form/radio-group.tsx';
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx';
import { toastSuccess } from '#web/ui/overlay/toaster.ts';
import { bearerLabels } from './desk-labels.ts';

type EnterRefundDialogProps = { refund: UnenteredRefund; isOpen: boolean; onClose: () => void };

/** Enters a refund made in Stripe: what it was for, and who bears it. */
export function EnterRefundDialog({ refund, isOpen, onClose }: EnterRefundDialogProps) {
  const { stripeRefundId, amountCents, bookings } = refund;
  const [parts, setParts] = useState<ReadonlyMap<string, number | null>>(
    () => new Map(bookings.map(({ bookingId }) => [bookingId, bookings.length === 1 ? amountCents : 0])),
  );
  const [borneBy, setBorneBy] = useState<Bearer>('coach');
  const enter = useApiMutation(deskApi.enterRefund, { invalidates: [deskApi.get] });
  const lines = [...parts].flatMap(([bookingId, cents]) => (cents ? [{ bookingId, cents }] : []));
  const leftCents = amountCents - lines.reduce((sum, { cents }) => sum + cents, 0);
  const save = () =>
    enter.mutate(
      { stripeRefundId, lines, borneBy },
      {
        onSuccess: () => {
          toastSuccess('Refund entered', "The payment's bookings can now be paid out again.");
          onClose();
        },
      },
    );
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Enter a refund of ${formatPounds(amountCents)}`}
      description={`Someone made this refund in Stripe (${stripeRefundId}). What was it for? We'll email the customer. You can't undo this.`}
      size="sm"
      onSubmit={save}
      refusal={enter.error}
      submit="Enter refund"
      isDisabled={leftCents !== 0 || lines.length === 0}
      isPending={enter.isPending}
      pendingLabel="Saving..."
    >
      {bookings.map((booking) => (
        <FormField
          key={booking.bookingId}
          label={booking.title}
          hint={`${formatLessonTime(booking.startTime, booking.endTime, Date.now())}${booking.participantName ? `, for ${booking.participantName}` : ''}. ${formatPounds(booking.leftCents)} left.`}
        >
          <PoundsInput
            defaultCents={parts.get(booking.bookingId) ?? null}
            onCentsChange={(cents) => setParts((known) => new Map(known).set(booking.bookingId, cents))}
          />
        </FormField>
      ))}
      <p className="text-sm text-muted-foreground" aria-live="polite">
        {leftCents === 0
          ? 'The amounts add up.'
          : leftCents > 0
            ? `${formatPounds(leftCents)} of the refund is still to be entered.`
            : `The amounts are ${formatPounds(-leftCents)} more than the refund.`}
      </p>
      <FormField label="Who bears the refund?" isGroup>
        <RadioGroup
          value={borneBy}
          onValueChange={setBorneBy}
          options={bearers.map((value) => ({ value, label: bearerLabels[value] }))}
        />
      </FormField>
    </FormDialog>
  );
}
