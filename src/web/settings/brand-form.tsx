import { type Brand, brand, settingsApi } from '#domain/settings/contract.ts';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { SettingForm } from './setting-form.tsx';

export function BrandForm({ saved }: { saved: Brand }) {
  return (
    <SettingForm
      name="brand"
      title="Brand"
      description="The name in the header, in page titles and in every email."
      endpoint={settingsApi.updateBrand}
      schema={brand}
      saved={saved}
      alsoReadBy={[settingsApi.getProduct]}
    >
      {({ register, formState: { errors } }) => (
        <FormField label="Brand name" error={errors.name?.message} className="max-w-96">
          <Input autoComplete="off" {...register('name')} />
        </FormField>
      )}
    </SettingForm>
  );
}
