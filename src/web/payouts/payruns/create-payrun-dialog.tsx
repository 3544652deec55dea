import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import type { AppError } from '#domain/errors.ts';
import { formatPounds } from '#domain/money.ts';
import { type PayrunPreview, payoutsApi } from '#domain/payouts/contract.ts';
import { paymentReference } from '#domain/payouts/payruns.ts';
import { callApi, keyOf } from '#web/app/api/api.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { useRefusal } from '#web/app/api/use-refusal.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.ts';
import { SkeletonRows } from '#web/ui/page/skeleton.tsx';
import { describeSelection, type PayableSelection } from '../payable-selection.ts';
import { PayrunSums } from './payrun-sums.tsx';

const payrunForm = z.object({ paymentReference: z.literal('').or(paymentReference) });

type CreatePayrunDialogProps = {
  selection: PayableSelection;
  onClose: () => void;
  onCreated: () => void;
  /** Called if the preview fails or the server refuses the selection, with the bookings that are no longer payable. */
  onRefused: (bookingIds: string[]) => void;
};

/** Shows the amount for each coach, asks for the reference on their bank statements, and creates the payrun. */
export function CreatePayrunDialog({ selection, onClose, onCreated, onRefused }: CreatePayrunDialogProps) {
  const input = describeSelection(selection);
  const read = useQuery<PayrunPreview, AppError>({
    queryKey: keyOf(payoutsApi.previewPayrun, input),
    queryFn: ({ signal }) => callApi(payoutsApi.previewPayrun, input, signal),
    // The payrun pays exactly what was shown, so the preview is fetched once per opening.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [changed, setChanged] = useState<PayrunPreview | null>(null);
  const preview = changed ?? read.data;
  const create = useApiMutation(payoutsApi.createPayrun);
  const form = useForm({ resolver: zodResolver(payrunForm), defaultValues: { paymentReference: '' } });
  const {
    register,
    handleSubmit,
    formState: { errors },
  } = form;
  const { showRefusal, notice } = useRefusal(form);

  function giveUp(error: AppError) {
    toastError(error.message);
    onRefused((error.details?.bookingIds ?? []) as string[]);
  }
  const noteUnreadable = useEffectEvent(giveUp);
  useEffect(() => {
    if (read.error) noteUnreadable(read.error);
  }, [read.error]);

  function save({ paymentReference: reference }: z.output<typeof payrunForm>) {
    if (!preview) return;
    create.mutate(
      {
        ...input,
        fingerprint: preview.fingerprint,
        currency: 'GBP',
        ...(reference && { paymentReference: reference }),
      },
      {
        onSuccess: ({ payrun }) => {
          toastSuccess(
            'Payrun created',
            `${formatPounds(payrun.totalAmountCents)}, ${payrun.paymentReference}`,
          );
          onCreated();
        },
        onError: (error) => {
          if (error.code === 'selection_changed') {
            setChanged(error.details?.preview as PayrunPreview);
          } else if (error.details?.bookingIds) giveUp(error);
          else showRefusal(error);
        },
      },
    );
  }

  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title="Create payrun"
      description="Refunds for lessons already paid out are deducted. The payrun uses the coaches' current bank details, even if they change them later."
      onSubmit={handleSubmit(save)}
      submit="Create payrun"
      isDisabled={!preview}
      isPending={create.isPending}
      pendingLabel="Creating payrun..."
    >
      {changed && (
        <p role="alert" className="rounded-md border border-warning p-3 text-sm">
          The payable bookings have changed since you opened this dialog. The list is now up to date. Nothing
          has been created yet.
        </p>
      )}
      {preview ? <PayrunSums preview={preview} /> : <SkeletonRows label="Calculating payments..." />}
      <FormField
        label="Payment reference"
        isOptional
        hint="Appears on the coaches' bank statements; at most 18 characters."
        error={errors.paymentReference?.message}
      >
        <Input autoComplete="off" {...register('paymentReference')} />
      </FormField>
      {notice}
    </FormDialog>
  );
}
