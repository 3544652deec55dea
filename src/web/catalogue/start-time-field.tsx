import { FormField } from '#web/ui/form/form-field.tsx';
import { Select } from '#web/ui/form/select.tsx';

const hours = Array.from({ length: 24 }, (_, hour) => hour);
const quarters = [0, 15, 30, 45];
const twoDigits = (part: number) => String(part).padStart(2, '0');

type StartTimeFieldProps = {
  label: string;
  hour: number;
  minute: number;
  onValueChange: (change: { hour: number } | { minute: number }) => void;
  error: string | undefined;
};

/** A local time in London, in steps of 15 minutes; a saved minute between the steps can still be chosen. */
export function StartTimeField({ label, hour, minute, onValueChange, error }: StartTimeFieldProps) {
  const minutes = quarters.includes(minute) ? quarters : [...quarters, minute].sort((a, b) => a - b);
  return (
    <FormField label={label} isGroup error={error} hint="London time">
      <div className="flex items-center gap-1.5">
        <Select
          aria-label="Hour"
          className="min-w-0 grow"
          value={hour}
          onChange={(event) => onValueChange({ hour: Number(event.target.value) })}
        >
          {hours.map((option) => (
            <option key={option} value={option}>
              {twoDigits(option)}
            </option>
          ))}
        </Select>
        <span aria-hidden>:</span>
        <Select
          aria-label="Minutes"
          className="min-w-0 grow"
          value={minute}
          onChange={(event) => onValueChange({ minute: Number(event.target.value) })}
        >
          {minutes.map((option) => (
            <option key={option} value={option}>
              {twoDigits(option)}
            </option>
          ))}
        </Select>
      </div>
    </FormField>
  );
}
