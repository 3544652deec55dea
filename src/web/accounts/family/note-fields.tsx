import { Controller, type UseFormReturn } from 'react-hook-form';
import { noneAnswer, noteNames } from '#domain/accounts/care.ts';
import { consentTexts } from '#domain/accounts/consents.ts';
import { Button } from '#web/ui/button.tsx';
import { CheckboxField } from '#web/ui/form/checkbox.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { RadioGroup } from '#web/ui/form/radio-group.tsx';
import { Textarea } from '#web/ui/form/textarea.tsx';
import { answerNone, type CareValues, noteKeys } from './care-values.ts';

const choices = [
  { value: 'yes', label: "I'll answer five questions", hint: `Each answer can be “${noneAnswer}”.` },
  { value: 'no', label: "I'd rather not say", hint: 'The coach will see that you gave no notes.' },
] as const;

type NoteFieldsProps<Saved> = {
  form: UseFormReturn<CareValues, unknown, Saved>;
  /** Whether the consent to keep notes was given earlier. */
  isAgreed: boolean;
};

/** Notes about health and needs, with the explicit consent to keep them. */
export function NoteFields<Saved>({ form, isAgreed }: NoteFieldsProps<Saved>) {
  const { control, register, watch, setValue, getValues, formState } = form;
  const { errors, isSubmitted } = formState;
  return (
    <section aria-labelledby="notes" className="space-y-4">
      <h3 id="notes" className="text-base">
        {consentTexts.medical.title}
      </h3>
      <FormField label="What should the coach know?" isGroup error={errors.givesNotes?.message}>
        <Controller
          control={control}
          name="givesNotes"
          render={({ field: { value, onChange } }) => (
            <RadioGroup
              value={value === null ? null : value ? 'yes' : 'no'}
              onValueChange={(answer) => onChange(answer === 'yes')}
              options={choices}
            />
          )}
        />
      </FormField>
      {watch('givesNotes') && (
        <>
          {!isAgreed && (
            <div className="rounded-lg border p-4 text-sm">
              <p className="text-muted-foreground">{consentTexts.medical.text}</p>
              <FormField
                label={consentTexts.medical.title}
                isLabelHidden
                isGroup
                error={errors.isAgreed?.message}
                className="mt-2"
              >
                <CheckboxField label={consentTexts.medical.choices.yes} {...register('isAgreed')} />
              </FormField>
            </div>
          )}
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p className="text-sm text-muted-foreground">If there's nothing to know, enter “{noneAnswer}”.</p>
            <Button
              variant="secondary"
              size="sm"
              onClick={() =>
                setValue('notes', answerNone(getValues('notes')), {
                  shouldDirty: true,
                  shouldValidate: isSubmitted,
                })
              }
            >
              Enter “{noneAnswer}” for the rest
            </Button>
          </div>
          {noteKeys.map((name) => (
            <FormField key={name} label={noteNames[name]} error={errors.notes?.[name]?.message}>
              <Textarea rows={2} autoComplete="off" {...register(`notes.${name}`)} />
            </FormField>
          ))}
        </>
      )}
    </section>
  );
}
