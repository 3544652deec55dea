import type { FieldError, UseFormRegisterReturn } from 'react-hook-form';
import { ageDateNames, ageDates } from '#domain/catalogue/ages.ts';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { Select } from '#web/ui/form/select.tsx';

type AgeName = 'minAge' | 'maxAge';

type AgeFieldsProps = {
  register: (
    name: AgeName | 'ageDate',
    options?: { setValueAs: (typed: string | number | null) => number | null },
  ) => UseFormRegisterReturn;
  errors: { [Name in AgeName | 'ageDate']?: FieldError | undefined };
  /** True if an age is entered: only then does the date matter. */
  isRanged: boolean;
};

/** An empty field means no limit. */
const readAge = (typed: string | number | null) => (typed === '' || typed === null ? null : Number(typed));

/** The ages that a template is meant for, and the date on which the age counts. */
export function AgeFields({ register, errors, isRanged }: AgeFieldsProps) {
  const ages = { type: 'number', inputMode: 'numeric', min: 0, max: 120, placeholder: 'Any' } as const;
  const options = { setValueAs: readAge };
  return (
    <>
      <FormField label="Youngest age" isOptional error={errors.minAge?.message}>
        <Input {...ages} {...register('minAge', options)} />
      </FormField>
      <FormField label="Oldest age" isOptional error={errors.maxAge?.message}>
        <Input {...ages} {...register('maxAge', options)} />
      </FormField>
      {isRanged && (
        <FormField
          label="When the age counts"
          error={errors.ageDate?.message}
          hint="Football and rugby seasons start on 1 September and use ages on 31 August. Tennis uses ages on 31 December."
          className="col-span-2"
        >
          <Select {...register('ageDate')}>
            {ageDates.map((date) => (
              <option key={date} value={date}>
                {ageDateNames[date]}
              </option>
            ))}
          </Select>
        </FormField>
      )}
    </>
  );
}
