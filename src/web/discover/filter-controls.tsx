import type { ReactNode } from 'react';
import {
  type FilterName,
  type Filters,
  filterNames,
  filters,
  type OtherFilterName,
} from '#domain/discover/filters.ts';
import { formatDay } from '#domain/time.ts';
import { DatePicker } from '#web/ui/form/date-picker.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { TypedFilter } from '#web/ui/form/typed-filter.tsx';
import { BornFilter } from './born-filter.tsx';
import { ChoiceField } from './choice-field.tsx';
import { CoachFilter } from './coach-filter.tsx';
import { type ControlProps, choiceOf } from './discover-search.ts';

/** The names behind the ids in the filters, each undefined until it is loaded. */
export type FilteredNames = { coach?: string | undefined; participant?: string | undefined };

type FilterControl<Value> = {
  Control: (props: ControlProps) => ReactNode;
  /** Returns the chip's text. */
  describe: (value: Value, names: FilteredNames) => string;
  /** The class for the control's share of its row; `grow` by default. */
  className?: string;
  /** True if the control takes half the width of the sheet on a phone, beside another control. */
  isHalf?: true;
};

type FilterControls<Name extends FilterName> = { [Key in Name]: FilterControl<NonNullable<Filters[Key]>> };

const otherControls: FilterControls<OtherFilterName> = {
  search: {
    ...typed('search', 'Search lessons'),
    describe: (words) => `“${words}”`,
    className: 'grow-[1.33]',
  },
  location: { ...typed('location', 'Town or postcode'), className: 'grow-[1.45]' },
  born: {
    Control: BornFilter,
    describe: (month, { participant }) =>
      participant ? `For ${participant}` : `Born in ${describeMonth(month)}`,
  },
  coachId: { Control: CoachFilter, describe: (_, { coach }) => coach ?? 'One coach' },
  from: {
    Control: ({ value: { from, to }, onChange, ...props }) => (
      <DateField
        {...props}
        label="From date"
        placeholder="From"
        value={from}
        onChange={(date) =>
          onChange(date && to && to < date ? { from: date, to: undefined } : { from: date })
        }
      />
    ),
    describe: (date) => `From ${describeDate(date)}`,
    isHalf: true,
  },
  to: {
    Control: ({ value: { from, to }, onChange, ...props }) => (
      <DateField
        {...props}
        label="To date"
        placeholder="To"
        value={to}
        min={from}
        onChange={(date) => onChange({ to: date })}
      />
    ),
    describe: (date) => `Until ${describeDate(date)}`,
    isHalf: true,
  },
};

/** The control of each filter, and the text of its chip while the filter is active. */
export const filterControls = Object.fromEntries(
  filterNames.map((name) => [name, choiceControl(name) ?? otherControls[name as OtherFilterName]]),
) as FilterControls<FilterName>;

/** The active filters, each with the text of its chip. */
export const listActiveFilters = (value: Filters, names: FilteredNames = {}) =>
  filterNames.flatMap((name) => {
    const { describe } = filterControls[name] as FilterControl<string>;
    return value[name] ? [{ name, label: describe(value[name], names) }] : [];
  });

/** The control of a filter that is chosen from a list; undefined for any other filter. */
function choiceControl(name: FilterName): FilterControl<string> | undefined {
  const choice = choiceOf(name);
  if (!choice) return undefined;
  const { label, all, options } = choice;
  return {
    Control: ({ value, onChange, isLabelHidden }) => (
      <ChoiceField
        label={label}
        isLabelHidden={isLabelHidden}
        value={value[name]}
        all={all}
        options={options}
        onChoose={(chosen) => onChange({ [name]: chosen })}
      />
    ),
    describe: (value) => options[value] ?? value,
  };
}

function typed(name: 'search' | 'location', label: string): FilterControl<string> {
  return {
    Control: ({ value, onChange, isLabelHidden }) => (
      <TypedFilter
        label={label}
        maxLength={filters[name].maxLength}
        isLabelHidden={isLabelHidden}
        value={value[name]}
        onSettled={(text) => onChange({ [name]: text })}
      />
    ),
    describe: (text) => text,
  };
}

const describeDate = (date: string) => formatDay(`${date}T12:00:00Z`, Date.now());

const describeMonth = (month: string) =>
  new Date(`${month}-01T00:00:00Z`).toLocaleDateString('en-GB', {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });

type DateFieldProps = {
  label: string;
  placeholder: string;
  isLabelHidden: boolean;
  value: string | undefined;
  /** Dates before this date can't be picked; dates before today can't either. */
  min?: string | undefined;
  onChange: (date: string | undefined) => void;
};

function DateField({ label, placeholder, isLabelHidden, value, min, onChange }: DateFieldProps) {
  return (
    <FormField label={label} isLabelHidden={isLabelHidden}>
      <DatePicker
        className="whitespace-nowrap"
        placeholder={isLabelHidden ? placeholder : 'Any'}
        value={value ?? null}
        min={min}
        onValueChange={(date) => onChange(date ?? undefined)}
      />
    </FormField>
  );
}
