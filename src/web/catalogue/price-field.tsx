import type { ReactNode } from 'react';
import { type Control, Controller, type FieldPathByValue, type FieldValues, useWatch } from 'react-hook-form';
import { FormField } from '#web/ui/form/form-field.tsx';
import { PoundsInput } from '#web/ui/form/pounds-input.tsx';
import { CoachShare } from './coach-share.tsx';

type PriceFieldProps<Values extends FieldValues, Saved> = {
  control: Control<Values, unknown, Saved>;
  name: FieldPathByValue<Values, number>;
  error: string | undefined;
  hint: ReactNode;
  className?: string;
};

/** A lesson's price, typed in pounds and stored in minor units, with the coach's share below. */
export function PriceField<Values extends FieldValues, Saved>(props: PriceFieldProps<Values, Saved>) {
  const { control, name, error, hint, className } = props;
  const priceCents: number = useWatch({ control, name });
  return (
    <FormField
      label="Price"
      error={error}
      hint={
        <>
          {hint} <CoachShare priceCents={priceCents} />
        </>
      }
      className={className}
    >
      <Controller
        control={control}
        name={name}
        render={({ field: { ref, name: fieldName, value, onBlur, onChange } }) => (
          <PoundsInput
            ref={ref}
            name={fieldName}
            defaultCents={value}
            onCentsChange={onChange}
            onBlur={onBlur}
          />
        )}
      />
    </FormField>
  );
}
