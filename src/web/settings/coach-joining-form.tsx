import { Controller } from 'react-hook-form';
import { type CoachJoining, coachJoining, settingsApi } from '#domain/settings/contract.ts';
import { RadioGroup } from '#web/ui/form/radio-group.tsx';
import { SettingForm } from './setting-form.tsx';

const options = [
  {
    value: 'applications',
    label: 'Admins decide on applications',
    hint: 'People apply, and an admin approves, asks for changes or declines.',
  },
  {
    value: 'at_once',
    label: 'Coaches join at once',
    hint: "A complete application gives the coach role without an admin. Document checks don't change.",
  },
] as const;

/** Sets how people become coaches. */
export function CoachJoiningForm({ saved }: { saved: CoachJoining }) {
  return (
    <SettingForm
      name="coachJoining"
      title="Becoming a coach"
      description="Applies to applications submitted from now on. Those that are already waiting still need an admin."
      endpoint={settingsApi.updateCoachJoining}
      schema={coachJoining}
      saved={saved}
      alsoReadBy={[]}
    >
      {({ control }) => (
        <Controller
          control={control}
          name="joining"
          render={({ field: { value, onChange } }) => (
            <RadioGroup label="Becoming a coach" value={value} onValueChange={onChange} options={options} />
          )}
        />
      )}
    </SettingForm>
  );
}
