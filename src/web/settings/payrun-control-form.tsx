import { type PayrunControl, payrunControl, settingsApi } from '#domain/settings/contract.ts';
import { CheckboxField } from '#web/ui/form/checkbox.tsx';
import { SettingForm } from './setting-form.tsx';

/** Sets whether a payrun needs one admin or two. */
export function PayrunControlForm({ saved }: { saved: PayrunControl }) {
  return (
    <SettingForm
      name="payrunControl"
      title="Payrun control"
      description="Applies to payruns created from now on. We'll email the other admins when this changes."
      endpoint={settingsApi.updatePayrunControl}
      schema={payrunControl}
      saved={saved}
      alsoReadBy={[]}
    >
      {({ register, formState: { errors } }) => (
        <>
          <CheckboxField
            label="Payruns need two admins"
            hint="The admin who creates a payrun can't download its file or mark it as paid. Another admin must do that."
            {...register('needsSecondAdmin')}
          />
          {errors.needsSecondAdmin && (
            <p role="alert" className="text-sm text-destructive">
              {errors.needsSecondAdmin.message}
            </p>
          )}
        </>
      )}
    </SettingForm>
  );
}
