import { zodResolver } from '@hookform/resolvers/zod';
import { type ReactNode, useEffect } from 'react';
import { useForm } from 'react-hook-form';
import type { z } from 'zod';
import { catalogueApi, type Location } from '#domain/catalogue/contract.ts';
import { type LocationInput, locationInput } from '#domain/catalogue/location.ts';
import { nationNames } from '#domain/catalogue/nations.ts';
import { slotsApi } from '#domain/catalogue/slots-contract.ts';
import type { AppError } from '#domain/errors.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { useRefusal } from '#web/app/api/use-refusal.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { toastSuccess } from '#web/ui/overlay/toaster.ts';

type LocationFormProps = {
  /** The location to edit; null for a new one. */
  location: Location | null;
  onSaved: (location: Location) => void;
  /** Lays out the fields and the buttons; `isSaving` is true while the location is being saved. */
  children: (fields: ReactNode, isSaving: boolean) => ReactNode;
};

const emptyLocation: LocationInput = { name: '', address: '', city: '', postcode: '', nation: null };

/** The form for a location: name, address, town, postcode and nation. Focuses the name first. */
export function LocationForm({ location, onSaved, children }: LocationFormProps) {
  const create = useApiMutation(catalogueApi.createLocation, { invalidates: [catalogueApi.listLocations] });
  const update = useApiMutation(catalogueApi.updateLocation, {
    invalidates: [catalogueApi.listLocations, slotsApi.listCoachSlots, slotsApi.getCoachSlot],
  });
  const form = useForm<LocationInput, unknown, z.output<typeof locationInput>>({
    resolver: zodResolver(locationInput),
    defaultValues: location ?? emptyLocation,
  });
  const {
    register,
    handleSubmit,
    setFocus,
    formState: { errors },
  } = form;
  const { showRefusal, notice } = useRefusal(form);

  useEffect(() => setFocus('name'), [setFocus]);

  function save(input: z.output<typeof locationInput>) {
    const saved = {
      onSuccess: (answer: { location: Location }) => {
        toastSuccess(location ? 'Location saved' : 'Location added', answer.location.name);
        onSaved(answer.location);
      },
      onError: (error: AppError) => showRefusal(error),
    };
    if (location) update.mutate({ ...input, locationId: location.locationId }, saved);
    else create.mutate(input, saved);
  }

  const fields = (
    <div className="grid grid-cols-2 gap-x-4 gap-y-5">
      <FormField label="Name" error={errors.name?.message} className="col-span-2">
        <Input autoComplete="off" {...register('name')} />
      </FormField>
      <FormField label="Address" isOptional error={errors.address?.message} className="col-span-2">
        <Input autoComplete="off" {...register('address')} />
      </FormField>
      <FormField label="Town" error={errors.city?.message} className="max-sm:col-span-2">
        <Input autoComplete="off" {...register('city')} />
      </FormField>
      <FormField label="Postcode" isOptional error={errors.postcode?.message} className="max-sm:col-span-2">
        <Input autoCapitalize="characters" autoComplete="off" {...register('postcode')} />
      </FormField>
      <FormField
        label="Nation"
        isOptional
        error={errors.nation?.message}
        hint="Determines which criminal record check you need to teach under-18s: DBS, PVG or AccessNI."
        className="col-span-2"
      >
        <Select {...register('nation', { setValueAs: (value: string | null) => value || null })}>
          <option value="">Not stated</option>
          {Object.entries(nationNames).map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </Select>
      </FormField>
      {location && (
        <p className="col-span-2 text-sm text-muted-foreground">
          If you change the address, town or postcode, everyone who has booked an upcoming lesson at this
          location will be emailed and may cancel for a full refund.
        </p>
      )}
      <div className="col-span-2 empty:hidden">{notice}</div>
    </div>
  );
  return (
    <form noValidate onSubmit={handleSubmit(save)}>
      {children(fields, create.isPending || update.isPending)}
    </form>
  );
}
