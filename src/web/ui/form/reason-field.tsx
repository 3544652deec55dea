import type { ComponentProps } from 'react';
import { FormField } from './form-field.tsx';
import { Input } from './input.tsx';

type ReasonFieldProps = Omit<ComponentProps<typeof FormField>, 'label' | 'children'> & {
  label?: string;
  /** In characters. */
  maxLength?: number;
  value: string;
  onValueChange: (reason: string) => void;
};

/** A one-line field for the reason for an action, such as a refund. */
export function ReasonField({
  label = 'Reason',
  maxLength = 300,
  value,
  onValueChange,
  ...field
}: ReasonFieldProps) {
  return (
    <FormField label={label} {...field}>
      <Input
        autoComplete="off"
        maxLength={maxLength}
        value={value}
        onChange={(event) => onValueChange(event.target.value)}
      />
    </FormField>
  );
}
