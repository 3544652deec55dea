import { Controller, type UseFormReturn } from 'react-hook-form';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { RadioGroup } from '#web/ui/form/radio-group.tsx';
import { Textarea } from '#web/ui/form/textarea.tsx';
import type { CareValues } from './care-values.ts';

const leaving = [
  { value: 'no', label: 'No, someone collects them' },
  { value: 'yes', label: 'Yes, they may leave without an adult' },
] as const;

/** Whether a dependant may leave alone after the lesson, and who may collect them. */
export function CollectionFields<Saved>({ form }: { form: UseFormReturn<CareValues, unknown, Saved> }) {
  const { control, register, watch, formState } = form;
  const { errors } = formState;
  const mayLeaveAlone = watch('mayLeaveAlone');
  return (
    <section aria-labelledby="collection" className="space-y-4">
      <h3 id="collection" className="text-base">
        After the lesson
      </h3>
      <FormField label="May they leave on their own?" isGroup error={errors.mayLeaveAlone?.message}>
        <Controller
          control={control}
          name="mayLeaveAlone"
          render={({ field: { value, onChange } }) => (
            <RadioGroup
              value={value === null ? null : value ? 'yes' : 'no'}
              onValueChange={(answer) => onChange(answer === 'yes')}
              options={leaving}
            />
          )}
        />
      </FormField>
      <FormField
        label="Who may collect them?"
        isOptional={mayLeaveAlone === true}
        error={errors.collectors?.message}
        hint="One name per line, up to five."
      >
        <Textarea rows={2} autoComplete="off" {...register('collectors')} />
      </FormField>
      <FormField
        label="Collection password"
        isOptional
        error={errors.password?.message}
        hint="A word that only you and the people who collect them know. The coach will ask for it."
      >
        <Input autoComplete="off" {...register('password')} />
      </FormField>
    </section>
  );
}
