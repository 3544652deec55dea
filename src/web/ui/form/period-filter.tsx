import { DatePicker } from './date-picker.tsx';
import { FormField } from './form-field.tsx';

type PeriodFilterProps = {
  /** The prefix of the two fields' labels: "Lesson ended" gives "Lesson ended from" and "Lesson ended to". */
  label: string;
  /** `from` and `to`: the first and last calendar date, such as "2026-11-21"; undefined for an open end. */
  from: string | undefined;
  to: string | undefined;
  onChange: (period: { from: string | undefined; to: string | undefined }) => void;
};

/** Filters past records by a period. Choosing a "from" after "to", or a "to" before "from", sets both to that date. */
export function PeriodFilter({ label, from, to, onChange }: PeriodFilterProps) {
  return (
    <div className="grid grow grid-cols-2 gap-3">
      <FormField label={`${label} from`}>
        <DatePicker
          isPastAllowed
          placeholder="Any"
          className="whitespace-nowrap"
          value={from ?? null}
          onValueChange={(date) =>
            onChange({ from: date ?? undefined, to: date && to && to < date ? date : to })
          }
        />
      </FormField>
      <FormField label={`${label} to`}>
        <DatePicker
          isPastAllowed
          placeholder="Any"
          className="whitespace-nowrap"
          value={to ?? null}
          onValueChange={(date) =>
            onChange({ from: date && from && from > date ? date : from, to: date ?? undefined })
          }
        />
      </FormField>
    </div>
  );
}
