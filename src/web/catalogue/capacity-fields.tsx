import type { FieldError, UseFormRegisterReturn } from 'react-hook-form';
import { groupSize } from '#domain/catalogue/rules.ts';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Input } from '#web/ui/form/input.tsx';

type CapacityName = 'minCapacity' | 'maxCapacity';

type CapacityFieldsProps = {
  register: (name: CapacityName, options: { valueAsNumber: true }) => UseFormRegisterReturn;
  errors: { [Name in CapacityName]?: FieldError | undefined };
  /** How many seats are already booked. */
  bookedCount?: number;
};

export function CapacityFields({ register, errors, bookedCount = 0 }: CapacityFieldsProps) {
  const sizes = { type: 'number', inputMode: 'numeric', ...groupSize } as const;
  return (
    <>
      <FormField
        label="Smallest group"
        error={errors.minCapacity?.message}
        hint={`At least ${groupSize.min} people`}
      >
        <Input {...sizes} {...register('minCapacity', { valueAsNumber: true })} />
      </FormField>
      <FormField
        label="Largest group"
        error={errors.maxCapacity?.message}
        hint={
          bookedCount > 0
            ? `${bookedCount} booked, at most ${groupSize.max}`
            : `At most ${groupSize.max} people`
        }
      >
        <Input {...sizes} {...register('maxCapacity', { valueAsNumber: true })} />
      </FormField>
    </>
  );
}
