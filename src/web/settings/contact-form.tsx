import { type Contact, contact, settingsApi } from '#domain/settings/contract.ts';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { SettingForm } from './setting-form.tsx';

export function ContactForm({ saved }: { saved: Contact }) {
  return (
    <SettingForm
      name="contact"
      title="Contact"
      description="Replies to emails go to this address, and it's shown wherever people are asked to contact you. Leave it empty to show no address."
      endpoint={settingsApi.updateContact}
      schema={contact}
      saved={saved}
      alsoReadBy={[settingsApi.getProduct]}
    >
      {({ register, formState: { errors } }) => (
        <FormField label="Contact email address" error={errors.email?.message} className="max-w-96">
          <Input type="email" autoComplete="off" {...register('email')} />
        </FormField>
      )}
    </SettingForm>
  );
}
