import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import type { AppError } from '#domain/errors.ts';
import { formatPounds } from '#domain/money.ts';
import { type PayableBooking, payoutsApi } from '#domain/payouts/contract.ts';
import { paymentReference } from '#domain/payouts/payruns.ts';
import { useApiMutation } from '#web/app/api.ts';
import { showFormRefusal } from '#web/app/form-refusal.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogBody, DialogContent, DialogFooter } from '#web/ui/dialog.tsx';
import { FormField } from '#web/ui/form-field.tsx';
import { Input } from '#web/ui/input.tsx';
import { Money } from '#web/ui/money.tsx';
import { toastSuccess } from '#web/ui/toaster.tsx';

const payrunForm = z.object({ paymentReference: z.literal('').or(paymentReference) });

type CreatePayrunDialogProps = {
  bookings: PayableBooking[];
  onClose: () => void;
  onCreated: () => void;
  /** Some of the bookings cannot be paid any more; the dialog is closed. */
  onRefused: (bookingIds: string[]) => void;
};

/** Shows what each coach gets, takes a reference for their bank statements and makes the payrun. */
export function CreatePayrunDialog({ bookings, onClose, onCreated, onRefused }: CreatePayrunDialogProps) {
  const create = useApiMutation(payoutsApi.createPayrun);
  const {
    register,
    handleSubmit,
    setError,
    formState: { errors },
  } = useForm({ resolver: zodResolver(payrunForm), defaultValues: { paymentReference: '' } });
  const totalCents = bookings.reduce((sum, { amountCents }) => sum + amountCents, 0);

  function save(input: z.output<typeof payrunForm>) {
    create.mutate(
      {
        bookingIds: bookings.map(({ bookingId }) => bookingId),
        currency: 'GBP',
        ...(input.paymentReference && { paymentReference: input.paymentReference }),
      },
      {
        onSuccess: ({ payrun }) => {
          toastSuccess(
            'Payrun created',
            `${formatPounds(payrun.totalAmountCents)}, ${payrun.paymentReference}`,
          );
          onCreated();
        },
        onError: (error: AppError) => {
          showFormRefusal(error, setError);
          const gone = error.details?.bookingIds;
          if (!Array.isArray(gone)) return;
          onRefused(gone as string[]);
          onClose();
        },
      },
    );
  }

  return (
    <Dialog open onOpenChange={(isOpen) => isOpen || create.isPending || onClose()}>
      <DialogContent
        title="Create payrun"
        description="What was refunded of lessons paid out earlier is taken off. The coaches' bank details are kept as they are now."
      >
        <form noValidate onSubmit={handleSubmit(save)}>
          <DialogBody className="space-y-5">
            <ul className="divide-y border-y text-sm">
              {sumByCoach(bookings).map(({ coachId, coachName, count, cents }) => (
                <li key={coachId} className="flex items-baseline justify-between gap-4 py-2.5">
                  <span className="min-w-0 wrap-anywhere">
                    {coachName}{' '}
                    <span className="text-muted-foreground">
                      · {count} {count === 1 ? 'booking' : 'bookings'}
                    </span>
                  </span>
                  <Money cents={cents} />
                </li>
              ))}
              <li className="flex items-baseline justify-between gap-4 py-2.5 font-semibold">
                Total in GBP <Money cents={totalCents} />
              </li>
            </ul>
            <FormField
              label="Payment reference"
              isOptional
              hint="Stands on the coaches' bank statements; at most 18 characters."
              error={errors.paymentReference?.message}
            >
              <Input autoComplete="off" {...register('paymentReference')} />
            </FormField>
          </DialogBody>
          <DialogFooter>
            <Button variant="secondary" onClick={onClose} disabled={create.isPending}>
              Cancel
            </Button>
            <Button type="submit" isLoading={create.isPending} loadingText="Creating payrun...">
              Create payrun
            </Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  );
}

function sumByCoach(bookings: PayableBooking[]) {
  const sums = new Map<string, { coachId: string; coachName: string; count: number; cents: number }>();
  for (const { coachId, coachName, amountCents } of bookings) {
    const known = sums.get(coachId) ?? { coachId, coachName, count: 0, cents: 0 };
    sums.set(coachId, { ...known, count: known.count + 1, cents: known.cents + amountCents });
  }
  return [...sums.values()].sort((a, b) => a.coachName.localeCompare(b.coachName, 'en-GB'));
}
