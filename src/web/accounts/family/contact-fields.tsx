import Plus from 'lucide-react/icons/plus';
import { type UseFormReturn, useFieldArray } from 'react-hook-form';
import { Button } from '#web/ui/button.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import type { CareValues } from './care-values.ts';

const maxContacts = 3;
const positions = ['First', 'Second', 'Third'];

/** Up to three emergency contacts, in the order in which the coach calls them. */
export function ContactFields<Saved>({ form }: { form: UseFormReturn<CareValues, unknown, Saved> }) {
  const { control, register, formState } = form;
  const { fields, append, remove } = useFieldArray({ control, name: 'contacts' });
  const { errors } = formState;
  return (
    <section aria-labelledby="contacts" className="space-y-4">
      <div>
        <h3 id="contacts" className="text-base">
          Emergency contacts
        </h3>
        <p className="mt-1 text-sm text-muted-foreground">The coach calls them in this order.</p>
      </div>
      {fields.map(({ id }, index) => {
        const error = errors.contacts?.[index];
        return (
          <fieldset key={id} className="grid grid-cols-2 gap-x-4 gap-y-4 border-t pt-4">
            <legend className="float-left col-span-2 flex w-full items-center justify-between gap-3 text-sm font-medium">
              {positions[index]} contact
            </legend>
            <FormField label="Name" error={error?.name?.message} className="col-span-2">
              <Input autoComplete="off" {...register(`contacts.${index}.name`)} />
            </FormField>
            <FormField label="Phone number" error={error?.telephone?.message}>
              <Input type="tel" autoComplete="off" {...register(`contacts.${index}.telephone`)} />
            </FormField>
            <FormField label="Relationship" error={error?.relation?.message}>
              <Input
                autoComplete="off"
                placeholder="Grandmother"
                {...register(`contacts.${index}.relation`)}
              />
            </FormField>
            {fields.length > 1 && (
              <Button
                variant="link"
                size="sm"
                className="col-span-2 justify-self-start"
                aria-label={`Remove the ${positions[index]?.toLowerCase()} contact`}
                onClick={() => remove(index)}
              >
                Remove
              </Button>
            )}
          </fieldset>
        );
      })}
      {fields.length < maxContacts && (
        <Button
          variant="secondary"
          size="sm"
          onClick={() => append({ name: '', telephone: '', relation: '' })}
        >
          <Plus aria-hidden />
          Add another contact
        </Button>
      )}
    </section>
  );
}
