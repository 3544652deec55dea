import { useRef, useState } from 'react';
import { catalogueApi, type Location } from '#domain/catalogue/contract.ts';
import { useApi } from '#web/app/api/api.ts';
import { Button } from '#web/ui/button.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { LocationForm } from './location-form.tsx';

type SlotLocationFieldProps = {
  value: string | null;
  onValueChange: (locationId: string | null) => void;
  error: string | undefined;
  /** The lesson's current location; it can still be chosen after its removal from the coach's list. */
  current?: Location | null;
  hint?: string | undefined;
};

/** Chooses one of the coach's locations, or adds one. Contains a form, so it must not be inside another form. */
export function SlotLocationField({
  value,
  onValueChange,
  error,
  current = null,
  hint,
}: SlotLocationFieldProps) {
  const { data, isError, refetch } = useApi(catalogueApi.listLocations, {});
  const [isAdding, setAdding] = useState(false);
  const selectRef = useRef<HTMLSelectElement>(null);

  const listed = data?.locations ?? [];
  const isDelisted = current !== null && listed.every(({ locationId }) => locationId !== current.locationId);
  const choices = isDelisted ? [current, ...listed] : listed;

  function stopAdding() {
    setAdding(false);
    selectRef.current?.focus();
  }

  return (
    <div>
      <FormField
        label="Location"
        isOptional
        error={isError ? 'Failed to load locations' : error}
        hint={
          hint ??
          (value === null && data ? "Without a location, customers won't know where to go." : undefined)
        }
      >
        <Select
          ref={selectRef}
          value={value ?? ''}
          disabled={!data}
          onChange={(event) => onValueChange(event.target.value || null)}
        >
          <option value="">{data || isError ? 'No location' : 'Loading...'}</option>
          {choices.map((location) => (
            <option key={location.locationId} value={location.locationId}>
              {location.name}, {location.city}
            </option>
          ))}
        </Select>
      </FormField>
      {isError && (
        <Button variant="link" size="sm" className="mt-1 touch:min-h-11" onClick={() => void refetch()}>
          Try again
        </Button>
      )}
      {!isAdding && (
        <Button
          variant="link"
          size="sm"
          className="mt-2 touch:mt-0 touch:min-h-11"
          onClick={() => setAdding(true)}
        >
          Add a location
        </Button>
      )}
      {isAdding && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset groups the fields of a form; this contains a form
        <div role="group" aria-label="New location" className="mt-3 rounded-lg border p-4">
          <LocationForm
            location={null}
            onSaved={(location) => {
              onValueChange(location.locationId);
              stopAdding();
            }}
          >
            {(fields, isSaving) => (
              <>
                {fields}
                <div className="mt-5 flex justify-end gap-2">
                  <Button variant="ghost" size="sm" onClick={stopAdding}>
                    Cancel
                  </Button>
                  <Button
                    type="submit"
                    variant="secondary"
                    size="sm"
                    isLoading={isSaving}
                    loadingText="Saving..."
                  >
                    Save location
                  </Button>
                </div>
              </>
            )}
          </LocationForm>
        </div>
      )}
    </div>
  );
}
