import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import { sports } from '#domain/sports.ts';
import { DatePicker } from '#web/ui/form/date-picker.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { TypedFilter } from '#web/ui/form/typed-filter.tsx';
import { CoachFilter } from './coach-filter.tsx';
import type { DiscoverChange, DiscoverSearch } from './discover-search.ts';

export type FiltersProps = { value: DiscoverSearch; onChange: (change: DiscoverChange) => void };

/** Every filter except the search box: type, sport, location, coach, dates. */
export function Choices({ value, onChange, isLabelHidden }: FiltersProps & { isLabelHidden: boolean }) {
  return (
    <>
      <Choice
        label="Lesson type"
        isLabelHidden={isLabelHidden}
        value={value.type}
        onChoose={(type) => onChange({ type })}
      >
        <option value="">All Types</option>
        <option value="individual">Individual</option>
        <option value="group">Group</option>
      </Choice>
      <Choice
        label="Sport"
        isLabelHidden={isLabelHidden}
        value={value.sport}
        onChoose={(sport) => onChange({ sport })}
      >
        <option value="">All sports</option>
        {Object.entries(sports).map(([slug, name]) => (
          <option key={slug} value={slug}>
            {name}
          </option>
        ))}
      </Choice>
      <TypedFilter
        label="Town or postcode"
        maxLength={60}
        isLabelHidden={isLabelHidden}
        value={value.location}
        onSettled={(location) => onChange({ location })}
      />
      <CoachFilter value={value} onChange={onChange} isLabelHidden={isLabelHidden} />
      <div className="contents max-md:grid max-md:grid-cols-2 max-md:gap-3">
        <DateFilter
          label="From date"
          placeholder="From"
          isLabelHidden={isLabelHidden}
          value={value.from}
          onChange={(from) =>
            onChange(from && value.to && value.to < from ? { from, to: undefined } : { from })
          }
        />
        <DateFilter
          label="To date"
          placeholder="To"
          isLabelHidden={isLabelHidden}
          value={value.to}
          min={value.from}
          onChange={(to) => onChange({ to })}
        />
      </div>
    </>
  );
}

/** The order of the list. */
export function SortChoice({ value, onChange, isLabelHidden }: FiltersProps & { isLabelHidden: boolean }) {
  return (
    <Choice
      label="Sort"
      isLabelHidden={isLabelHidden}
      value={value.sort}
      onChoose={(sort) => onChange({ sort })}
    >
      <option value="">Earliest First</option>
      <option value="price_low">Price Low to High</option>
      <option value="price_high">Price High to Low</option>
    </Choice>
  );
}

type ChoiceProps = {
  label: string;
  isLabelHidden: boolean;
  value: string | undefined;
  onChoose: (value: string | undefined) => void;
  /** The options; the one for no choice has an empty value. */
  children: ReactNode;
};

function Choice({ label, isLabelHidden, value = '', onChoose, children }: ChoiceProps) {
  const select = useRef<HTMLSelectElement>(null);
  // Chosen on a server-rendered page before this component was hydrated.
  const hear = useEffectEvent(() => {
    const chosen = select.current!.value;
    if (chosen !== value) onChoose(chosen || undefined);
  });
  useEffect(() => hear(), []);
  return (
    <FormField label={label} isLabelHidden={isLabelHidden}>
      <Select ref={select} value={value} onChange={(event) => onChoose(event.target.value || undefined)}>
        {children}
      </Select>
    </FormField>
  );
}

type DateFilterProps = {
  label: string;
  placeholder: string;
  isLabelHidden: boolean;
  value: string | undefined;
  /** The earliest selectable date; by default today. */
  min?: string | undefined;
  onChange: (date: string | undefined) => void;
};

function DateFilter({ label, placeholder, isLabelHidden, value, min, onChange }: DateFilterProps) {
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
