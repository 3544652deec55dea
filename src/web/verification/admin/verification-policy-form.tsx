import type { Control } from 'react-hook-form';
import { useWatch } from 'react-hook-form';
import type { InputOf } from '#domain/endpoint.ts';
import { settingsApi } from '#domain/settings/contract.ts';
import {
  absenceEffectNames,
  absenceEffects,
  askedOfNames,
  askedOfs,
  type DocumentKind,
  documentKinds,
  type VerificationPolicy,
  verificationPolicy,
} from '#domain/settings/verification-policy.ts';
import { checksApi } from '#domain/verification/checks-contract.ts';
import { useApi } from '#web/app/api/api.ts';
import { SettingForm } from '#web/settings/setting-form.tsx';
import { UnsavedGuard } from '#web/settings/unsaved-guard.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { SkeletonRows } from '#web/ui/page/skeleton.tsx';
import { titleOfKind } from '../check-text.ts';
import { readByAdmins } from './read-by-admins.ts';

/** Sets who must provide each kind of document, and what happens if it is missing. */
export function VerificationPolicyForm() {
  const settings = useApi(settingsApi.getSettings, {});
  return (
    <QueryView
      query={settings}
      failure="Failed to load the required checks"
      skeleton={<SkeletonRows count={5} label="Loading the required checks..." />}
    >
      {({ verificationPolicy }) => (
        <UnsavedGuard>
          <div className="mt-2 border-t pt-8">
            <PolicyForm saved={verificationPolicy} />
          </div>
        </UnsavedGuard>
      )}
    </QueryView>
  );
}

function PolicyForm({ saved }: { saved: VerificationPolicy }) {
  return (
    <SettingForm
      name="verificationPolicy"
      title="Required checks"
      description="Changes take effect at once. Hidden lessons can't be found or booked, but booked ones stay booked. Coaches can submit any kind of document and get a badge for each one that we accept."
      endpoint={checksApi.updatePolicy}
      schema={verificationPolicy}
      saved={saved}
      alsoReadBy={readByAdmins}
    >
      {({ register, control }) => (
        <>
          <div className="max-w-reading divide-y border-y">
            {documentKinds.map((kind) => (
              <fieldset key={kind} className="grid gap-x-4 gap-y-3 py-4 sm:grid-cols-2">
                <legend className="float-left mb-1 w-full text-sm font-semibold sm:col-span-2">
                  {titleOfKind(kind)}
                </legend>
                <FormField label="Required of">
                  <Select {...register(`${kind}.askedOf`)}>
                    {askedOfs.map((value) => (
                      <option key={value} value={value}>
                        {askedOfNames[value]}
                      </option>
                    ))}
                  </Select>
                </FormField>
                <EffectField control={control} kind={kind}>
                  <Select {...register(`${kind}.effect`)}>
                    {absenceEffects.map((value) => (
                      <option key={value} value={value}>
                        {absenceEffectNames[value]}
                      </option>
                    ))}
                  </Select>
                </EffectField>
              </fieldset>
            ))}
          </div>
          <Preview control={control} />
        </>
      )}
    </SettingForm>
  );
}

type EffectFieldProps = {
  control: Control<VerificationPolicy>;
  kind: DocumentKind;
  children: React.ReactNode;
};

/** Hidden for a kind that nobody must provide, because its absence has no effect. */
function EffectField({ control, kind, children }: EffectFieldProps) {
  const askedOf = useWatch({ control, name: `${kind}.askedOf` });
  return (
    <div hidden={askedOf === 'nobody'}>
      <FormField label="Without it">{children}</FormField>
    </div>
  );
}

/** Shows how many coaches and lessons the policy in the form would hide today. */
function Preview({ control }: { control: Control<VerificationPolicy> }) {
  const policy = useWatch({ control }) as VerificationPolicy;
  const choices = Object.fromEntries(
    documentKinds.map((kind) => {
      const { askedOf, effect } = policy[kind];
      return [kind, askedOf === 'nobody' ? 'nobody:badge' : `${askedOf}:${effect}`];
    }),
  ) as InputOf<typeof checksApi.previewPolicy>;
  const { data } = useApi(checksApi.previewPolicy, choices);
  return (
    <p role="status" className="min-h-6 text-sm tabular-nums">
      {data && <PreviewText {...data} />}
    </p>
  );
}

const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

function PreviewText({
  hiddenCoaches,
  coaches,
  hiddenLessons,
}: {
  hiddenCoaches: number;
  coaches: number;
  hiddenLessons: number;
}) {
  if (hiddenCoaches === 0)
    return (
      <>
        With these choices, {plural(coaches, 'coach').replace(/coachs$/, 'coaches')} can be found and booked
        today, and none would be hidden.
      </>
    );
  return (
    <>
      <strong className="font-semibold">
        {hiddenCoaches === 1 ? '1 coach' : `${hiddenCoaches} coaches`} would be hidden now
      </strong>{' '}
      (of {coaches}), with {plural(hiddenLessons, 'upcoming lesson')}.
    </>
  );
}
