import type { FilterName } from '#domain/discover/filters.ts';
import { Button } from '#web/ui/button.tsx';
import { Chip } from '#web/ui/chip.tsx';
import type { DiscoverChange, FiltersProps } from './discover-search.ts';
import { type FilteredNames, listActiveFilters } from './filter-controls.tsx';

/** The change that removes all of these filters. */
export const takeOff = (filters: { name: FilterName }[]): DiscoverChange =>
  Object.fromEntries(filters.map(({ name }) => [name, undefined]));

/** The active filters as removable chips. */
export function FilterChips({ value, onChange, names }: FiltersProps & { names: FilteredNames }) {
  const active = listActiveFilters(value, names);
  if (active.length === 0) return null;
  return (
    <div className="flex flex-wrap items-center gap-2">
      {active.map((filter) => (
        <Chip
          key={filter.name}
          className="max-w-full"
          removeLabel={`Remove filter ${filter.label}`}
          onRemove={() => onChange(takeOff([filter]))}
        >
          <span className="max-w-60 truncate">{filter.label}</span>
        </Chip>
      ))}
      {active.length > 1 && (
        <Button variant="ghost" size="sm" onClick={() => onChange(takeOff(active))}>
          Clear all
        </Button>
      )}
    </div>
  );
}
