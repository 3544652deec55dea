import { Controller } from 'react-hook-form';
import { type RefundControl, refundControl, settingsApi } from '#domain/settings/contract.ts';
import { CheckboxField } from '#web/ui/form/checkbox.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { PoundsInput } from '#web/ui/form/pounds-input.tsx';
import { SettingForm } from './setting-form.tsx';

/** The limit that the form suggests, in minor units. */
const suggestedCents = 10_000;

/** Sets how much of a booking one admin can refund alone. */
export function RefundControlForm({ saved }: { saved: RefundControl }) {
  return (
    <SettingForm
      name="refundControl"
      title="Refund control"
      description="Applies to refunds that admins make from a booking's page. We'll email the other admins when this changes."
      endpoint={settingsApi.updateRefundControl}
      schema={refundControl}
      saved={saved}
      alsoReadBy={[]}
    >
      {({ control, formState: { errors } }) => (
        <Controller
          control={control}
          name="secondAdminAboveCents"
          render={({ field: { value, onChange, ref } }) => (
            <>
              <CheckboxField
                ref={ref}
                label="Large refunds need two admins"
                hint="A refund above the limit needs the approval of a second admin."
                checked={value !== null}
                onChange={({ target }) => onChange(target.checked ? suggestedCents : null)}
              />
              {value !== null && (
                <FormField
                  label="Limit for each booking"
                  error={errors.secondAdminAboveCents?.message}
                  className="max-w-48"
                >
                  <PoundsInput
                    defaultCents={Number.isNaN(value) ? null : value}
                    onCentsChange={(cents) => onChange(cents ?? Number.NaN)}
                  />
                </FormField>
              )}
            </>
          )}
        />
      )}
    </SettingForm>
  );
}
