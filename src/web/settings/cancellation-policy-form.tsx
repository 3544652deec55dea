import { type CancellationPolicy, cancellationPolicy, settingsApi } from '#domain/settings/contract.ts';
import { CheckboxField } from '#web/ui/form/checkbox.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { SettingForm } from './setting-form.tsx';

const { freeUntilHours, lateRefundPercent } = cancellationPolicy.shape;

/** Sets the refund that customers get if they cancel. A change applies only to later bookings. */
export function CancellationPolicyForm({ saved }: { saved: CancellationPolicy }) {
  return (
    <SettingForm
      name="cancellationPolicy"
      title="Cancellation policy"
      description="Applies to new bookings. Existing bookings keep their terms. If the coach cancels, customers always get a full refund."
      endpoint={settingsApi.updateCancellationPolicy}
      schema={cancellationPolicy}
      saved={saved}
      alsoReadBy={[settingsApi.getCancellationPolicy]}
    >
      {({ register, formState: { errors } }) => (
        <>
          <CheckboxField
            label="Refund customers who cancel"
            hint="If this is off, customers who cancel get no refund, unless the coach has changed the lesson."
            {...register('refundsEnabled')}
          />
          <div className="grid gap-5 sm:grid-cols-2">
            <FormField
              label="Full refund until"
              hint="Hours before the lesson starts."
              error={errors.freeUntilHours?.message}
            >
              <Input
                type="number"
                min={freeUntilHours.minValue ?? undefined}
                max={freeUntilHours.maxValue ?? undefined}
                inputMode="numeric"
                trailing="hours"
                {...register('freeUntilHours', { valueAsNumber: true })}
              />
            </FormField>
            <FormField
              label="Refund after that"
              hint="Share of the price that is refunded after that time."
              error={errors.lateRefundPercent?.message}
            >
              <Input
                type="number"
                min={lateRefundPercent.minValue ?? undefined}
                max={lateRefundPercent.maxValue ?? undefined}
                inputMode="numeric"
                trailing="%"
                {...register('lateRefundPercent', { valueAsNumber: true })}
              />
            </FormField>
          </div>
        </>
      )}
    </SettingForm>
  );
}
