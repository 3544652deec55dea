import { zodResolver } from '@hookform/resolvers/zod';
import { useId } from 'react';
import { useForm } from 'react-hook-form';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { editInput, refuseEditSlot, type SlotEdit } from '#domain/bookings/slot-changes.ts';
import type { CoachSlot } from '#domain/catalogue/slots-contract.ts';
import { formatLessonTime } from '#domain/time.ts';
import { useRefusal } from '#web/app/api/use-refusal.tsx';
import { CapacityFields } from '#web/catalogue/capacity-fields.tsx';
import { PriceField } from '#web/catalogue/price-field.tsx';
import { SlotLocationField } from '#web/catalogue/slot-location-field.tsx';
import { Dialog, DialogBody, DialogButtons, DialogContent } from '#web/ui/overlay/dialog.tsx';
import { toastSuccess } from '#web/ui/overlay/toaster.ts';
import { countPeople } from '../lesson/booked-people.ts';
import { useSlotChange } from './use-slot-change.ts';

type EditSlotDialogProps = { slot: CoachSlot; isOpen: boolean; onClose: () => void };

/** Changes the location, price and capacity of a published lesson. */
export function EditSlotDialog({ slot, isOpen, onClose }: EditSlotDialogProps) {
  const edit = useSlotChange(lessonsApi.editSlot);
  const close = () => edit.isPending || onClose();
  return (
    <Dialog open={isOpen} onOpenChange={(next) => next || close()}>
      <DialogContent
        title="Edit lesson"
        description={`${slot.title}, ${formatLessonTime(slot.startTime, slot.endTime, Date.now())}. Only this lesson changes, not its template or other dates.`}
      >
        <EditSlotForm slot={slot} edit={edit} onClose={close} onDone={onClose} />
      </DialogContent>
    </Dialog>
  );
}

type EditSlotFormProps = {
  slot: CoachSlot;
  edit: ReturnType<typeof useSlotChange<typeof lessonsApi.editSlot>>;
  onClose: () => void;
  onDone: () => void;
};

function EditSlotForm({ slot, edit, onClose, onDone }: EditSlotFormProps) {
  const formId = useId();
  const { slotId, bookedCount, location, lessonType } = slot;
  const form = useForm<SlotEdit>({
    resolver: zodResolver(editInput),
    defaultValues: {
      locationId: location?.locationId ?? null,
      priceCents: slot.priceCents,
      minCapacity: slot.minCapacity,
      maxCapacity: slot.maxCapacity,
    },
  });
  const {
    control,
    register,
    handleSubmit,
    setError,
    setValue,
    watch,
    formState: { errors },
  } = form;
  const { showRefusal, notice } = useRefusal(form);
  const locationId = watch('locationId');
  const isElsewhere = locationId !== (location?.locationId ?? null);

  function save(input: SlotEdit) {
    const refusal = refuseEditSlot(slot, input, Date.now());
    if (refusal?.fields) {
      for (const [name, message] of Object.entries(refusal.fields)) {
        setError(name as keyof SlotEdit, { message }, { shouldFocus: true });
      }
      return;
    }
    edit.mutate(
      { slotId, ...input },
      {
        onSuccess: () => {
          toastSuccess('Lesson saved', slot.title);
          onDone();
        },
        onError: (error) => showRefusal(error),
      },
    );
  }

  return (
    <>
      <DialogBody className="grid gap-5">
        <form
          id={formId}
          noValidate
          onSubmit={handleSubmit(save)}
          className="grid grid-cols-2 gap-x-4 gap-y-5"
        >
          <PriceField
            control={control}
            name="priceCents"
            error={errors.priceCents?.message}
            hint={
              bookedCount > 0
                ? `Per person. ${bookedCount === 1 ? 'The customer who has booked keeps the price' : `The ${bookedCount} people who have booked keep the price`} they paid.`
                : 'Per person, in pounds.'
            }
            className="col-span-2"
          />
          {lessonType === 'group' && (
            <CapacityFields register={register} errors={errors} bookedCount={bookedCount} />
          )}
        </form>
        <SlotLocationField
          value={locationId}
          current={location}
          onValueChange={(next) => setValue('locationId', next, { shouldDirty: true, shouldValidate: true })}
          error={errors.locationId?.message}
          hint={
            isElsewhere && bookedCount > 0
              ? `We'll email ${countPeople(bookedCount)} the new location. They can cancel for a full refund.`
              : undefined
          }
        />
        {notice}
      </DialogBody>
      <DialogButtons
        onCancel={onClose}
        submit="Save changes"
        form={formId}
        isPending={edit.isPending}
        pendingLabel="Saving..."
      />
    </>
  );
}
