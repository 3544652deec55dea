import Plus from 'lucide-react/icons/plus';
import Trash from 'lucide-react/icons/trash-2';
import { Controller, type UseFormReturn, useFieldArray, useWatch } from 'react-hook-form';
import { settingsApi } from '#domain/settings/contract.ts';
import { type LandingStats, landingStatLimit, landingStatsInput } from '#domain/settings/landing-stats.ts';
import { Button } from '#web/ui/button.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { RadioGroup } from '#web/ui/form/radio-group.tsx';
import { SettingForm } from './setting-form.tsx';

/** Sets the figures that visitors see on the landing page. */
export function LandingStatsForm({ saved }: { saved: LandingStats }) {
  return (
    <SettingForm
      name="landingStats"
      title="Landing page figures"
      description="Shown below the headline."
      endpoint={settingsApi.updateLandingStats}
      schema={landingStatsInput}
      saved={saved}
      alsoReadBy={[settingsApi.getProduct]}
    >
      {(form) => <Figures form={form} />}
    </SettingForm>
  );
}

const modeOptions = [
  { value: 'hidden', label: 'Hidden' },
  {
    value: 'counted',
    label: 'Counted',
    hint: 'Active coaches, five-star reviews and completed lessons, counted from our records. Zeros are left out.',
  },
  {
    value: 'typed',
    label: 'As typed',
    hint: 'Use only true figures. Figures about reviews can only be counted.',
  },
] as const;

function Figures({ form }: { form: UseFormReturn<LandingStats> }) {
  const { control, register, formState } = form;
  const { fields, append, remove } = useFieldArray({ control, name: 'stats' });
  const mode = useWatch({ control, name: 'mode' });
  const errors = formState.errors.stats;
  return (
    <>
      <Controller
        control={control}
        name="mode"
        render={({ field: { value, onChange } }) => (
          <RadioGroup label="Figures" value={value} onValueChange={onChange} options={modeOptions} />
        )}
      />
      {/* Hidden inputs stay registered, so that the typed figures stay saved. */}
      <ul className="space-y-4" hidden={mode !== 'typed'}>
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
      {mode === 'typed' && fields.length < landingStatLimit && (
        <div>
          <Button variant="secondary" onClick={() => append({ figure: '', label: '' })}>
            <Plus aria-hidden />
            Add a figure
          </Button>
        </div>
      )}
    </>
  );
}
