import { useRef } from 'react';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { useEarlyInput } from '#web/ui/form/use-early-input.ts';

type ChoiceFieldProps = {
  label: string;
  isLabelHidden: boolean;
  value: string | undefined;
  /** The label of the option that stands for no choice. */
  all: string;
  /** The labels of the other options by value. */
  options: Readonly<Record<string, string>>;
  onChoose: (value: string | undefined) => void;
};

/** A filter or sort order that is chosen from a list. */
export function ChoiceField({ label, isLabelHidden, value = '', all, options, onChoose }: ChoiceFieldProps) {
  const select = useRef<HTMLSelectElement>(null);
  useEarlyInput(select, value, (chosen) => onChoose(chosen || undefined));
  return (
    <FormField label={label} isLabelHidden={isLabelHidden}>
      <Select ref={select} value={value} onChange={(event) => onChoose(event.target.value || undefined)}>
        <option value="">{all}</option>
        {Object.entries(options).map(([option, name]) => (
          <option key={option} value={option}>
            {name}
          </option>
        ))}
      </Select>
    </FormField>
  );
}
