import { ChoiceField } from './choice-field.tsx';
import type { ControlProps } from './discover-search.ts';

export function SortChoice({ value, onChange, isLabelHidden }: ControlProps) {
  return (
    <ChoiceField
      label="Sort"
      isLabelHidden={isLabelHidden}
      value={value.sort}
      all="Earliest First"
      options={{ price_low: 'Price Low to High', price_high: 'Price High to Low' }}
      onChoose={(sort) => onChange({ sort })}
    />
  );
}
