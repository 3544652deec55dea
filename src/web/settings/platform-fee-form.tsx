import { type PlatformFee, platformFee, settingsApi } from '#domain/settings/contract.ts';
import { describeFee, feeOfPrice, isSameFee } from '#domain/settings/platform-fee.ts';
import { CheckboxField } from '#web/ui/form/checkbox.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { Money } from '#web/ui/money.tsx';
import { SettingForm } from './setting-form.tsx';

const exampleCents = 5000;

/** The question to ask before a change to the fee is saved; null if the fee stays the same. */
function askAboutFee(values: PlatformFee, saved: PlatformFee) {
  if (isSameFee(values, saved)) return null;
  return {
    title: 'Change the platform fee?',
    confirmLabel: 'Change fee',
    text: (
      <>
        <p>
          The fee changes from {describeFee(saved)} to {describeFee(values)} for all coaches. It applies to
          every booking made after you confirm, including bookings of lessons that are already published.
        </p>
        <p>Existing bookings keep their fee, and customers pay the same prices. We'll email every coach.</p>
      </>
    ),
  };
}

/** Sets the platform's share of future bookings. */
export function PlatformFeeForm({ saved }: { saved: PlatformFee }) {
  return (
    <SettingForm
      name="platformFee"
      title="Platform fee"
      description="Deducted from the coach's payout, never added to the price a customer sees. Existing bookings aren't affected."
      endpoint={settingsApi.updatePlatformFee}
      schema={platformFee}
      saved={saved}
      alsoReadBy={[settingsApi.getPlatformFee]}
      ask={askAboutFee}
    >
      {({ register, watch, formState: { errors } }) => {
        const fee = watch();
        const isPercentage = fee.percent >= 0 && fee.percent <= 100;
        const feeCents = isPercentage ? feeOfPrice(exampleCents, fee) : 0;
        return (
          <>
            <CheckboxField label="Charge a fee" {...register('enabled')} />
            <FormField label="Percentage of the price" error={errors.percent?.message} className="max-w-60">
              <Input
                type="number"
                min={0}
                max={100}
                step={0.1}
                inputMode="decimal"
                trailing="%"
                {...register('percent', { valueAsNumber: true })}
              />
            </FormField>
            <p hidden={!isPercentage} className="text-sm text-muted-foreground">
              From a <Money cents={exampleCents} /> lesson, the platform keeps{' '}
              <Money cents={feeCents} className="font-medium text-foreground" /> and the coach gets{' '}
              <Money cents={exampleCents - feeCents} className="font-medium text-foreground" />.
            </p>
          </>
        );
      }}
    </SettingForm>
  );
}
