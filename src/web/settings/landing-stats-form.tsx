import Plus from 'lucide-react/icons/plus';
import Trash from 'lucide-react/icons/trash-2';
import { type UseFormReturn, useFieldArray } from 'react-hook-form';
import { type LandingStats, landingStatLimit, settingsApi } from '#domain/settings/contract.ts';
import { Button } from '#web/ui/button.tsx';
import { CheckboxField } from '#web/ui/form/checkbox.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { SettingForm } from './setting-form.tsx';

/** Chooses the figures that visitors see on the landing page. */
export function LandingStatsForm({ saved }: { saved: LandingStats }) {
  return (
    <SettingForm
      name="landingStats"
      title="Landing page figures"
      description="Shown below the headline. Use only true figures."
      endpoint={settingsApi.updateLandingStats}
      saved={saved}
      alsoReadBy={[settingsApi.getProduct]}
    >
      {(form) => <Figures form={form} />}
    </SettingForm>
  );
}

function Figures({ form }: { form: UseFormReturn<LandingStats> }) {
  const { control, register, formState } = form;
  const { fields, append, remove } = useFieldArray({ control, name: 'stats' });
  const errors = formState.errors.stats;
  return (
    <>
      <CheckboxField label="Show the figures" hint="Hidden figures stay saved." {...register('isShown')} />
      <ul className="space-y-4">
        {fields.map((field, index) => (
          <li key={field.id} className="grid grid-cols-[7rem_1fr_auto] items-start gap-3">
            <FormField label="Figure" error={errors?.[index]?.figure?.message}>
              <Input autoComplete="off" {...register(`stats.${index}.figure`)} />
            </FormField>
            <FormField label="What it counts" error={errors?.[index]?.label?.message}>
              <Input autoComplete="off" {...register(`stats.${index}.label`)} />
            </FormField>
            <Button
              variant="ghost"
              size="icon"
              className="mt-6.5"
              aria-label={`Remove figure ${index + 1}`}
              onClick={() => remove(index)}
            >
              <Trash aria-hidden />
            </Button>
          </li>
        ))}
      </ul>
      {fields.length < landingStatLimit && (
        <Button variant="secondary" onClick={() => append({ figure: '', label: '' })}>
          <Plus aria-hidden />
          Add a figure
        </Button>
      )}
    </>
  );
}
