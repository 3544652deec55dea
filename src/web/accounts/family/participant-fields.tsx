import {
  type Control,
  Controller,
  type FieldError,
  type FieldPathByValue,
  type FieldValues,
  type UseFormRegisterReturn,
} from 'react-hook-form';
import { relationNames, relations } from '#domain/accounts/participants.ts';
import { BirthDateInput } from '#web/ui/form/birth-date-input.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { Select } from '#web/ui/form/select.tsx';

type TextFieldProps = { registration: UseFormRegisterReturn; error: FieldError | undefined };

export function FullNameField({ registration, error }: TextFieldProps) {
  return (
    <FormField label="Full name" error={error?.message}>
      <Input autoComplete="off" {...registration} />
    </FormField>
  );
}

/** `isSelf`: whether the field is about the person who is signed in. */
export function KnownAsField({ registration, error, isSelf }: TextFieldProps & { isSelf: boolean }) {
  return (
    <FormField
      label="Known as"
      isOptional
      error={error?.message}
      hint={isSelf ? 'What coaches call you.' : 'What coaches call them.'}
    >
      <Input autoComplete={isSelf ? 'nickname' : 'off'} {...registration} />
    </FormField>
  );
}

export function RelationField({ registration, error }: TextFieldProps) {
  return (
    <FormField label="Your relationship to them" error={error?.message}>
      <Select {...registration}>
        <option value="">Choose</option>
        {relations.map((relation) => (
          <option key={relation} value={relation}>
            {relationNames[relation]}
          </option>
        ))}
      </Select>
    </FormField>
  );
}

type BirthDateFieldProps<Values extends FieldValues, Saved> = {
  control: Control<Values, unknown, Saved>;
  name: FieldPathByValue<Values, string | undefined>;
  error: FieldError | undefined;
  isSelf: boolean;
};

export function BirthDateField<Values extends FieldValues, Saved>({
  control,
  name,
  error,
  isSelf,
}: BirthDateFieldProps<Values, Saved>) {
  return (
    <FormField label="Date of birth" isGroup error={describeDateError(error)}>
      <Controller
        control={control}
        name={name}
        render={({ field: { ref, value, onBlur, onChange } }) => (
          <BirthDateInput
            ref={ref}
            value={value ?? ''}
            onValueChange={onChange}
            onBlur={onBlur}
            isOwn={isSelf}
          />
        )}
      />
    </FormField>
  );
}

/** Replaces the contract's message about the format, which is not the format that people type here. */
function describeDateError(error: FieldError | undefined): string | undefined {
  return error?.type === 'invalid_format'
    ? 'Enter the date of birth as day, month and year, for example 28 5 2016.'
    : error?.message;
}
