import { sports } from '#domain/sports.ts';
import { formatDay } from '#domain/time.ts';
import { Button } from '#web/ui/button.tsx';
import { Chip } from '#web/ui/chip.tsx';
import type { DiscoverChange, DiscoverFilterName, DiscoverSearch } from './discover-search.ts';

/** The active filters, each with its label. */
export function listActiveFilters(value: DiscoverSearch, coachName?: string) {
  const day = (date: string) => formatDay(`${date}T12:00:00Z`, Date.now());
  const found: { name: DiscoverFilterName; label: string }[] = [];
  if (value.search) found.push({ name: 'search', label: `“${value.search}”` });
  if (value.type) found.push({ name: 'type', label: value.type === 'group' ? 'Group' : 'Individual' });
  if (value.sport) found.push({ name: 'sport', label: sports[value.sport] });
  if (value.location) found.push({ name: 'location', label: value.location });
  if (value.from) found.push({ name: 'from', label: `From ${day(value.from)}` });
  if (value.to) found.push({ name: 'to', label: `Until ${day(value.to)}` });
  if (value.coachId) found.push({ name: 'coachId', label: coachName ?? 'One coach' });
  return found;
}

/** The change that removes all of these filters. */
export const takeOff = (filters: { name: DiscoverFilterName }[]): DiscoverChange =>
  Object.fromEntries(filters.map(({ name }) => [name, undefined]));

type FilterChipsProps = {
  value: DiscoverSearch;
  onChange: (change: DiscoverChange) => void;
  coachName: string | undefined;
};

/** The active filters as removable chips. */
export function FilterChips({ value, onChange, coachName }: FilterChipsProps) {
  const active = listActiveFilters(value, coachName);
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
