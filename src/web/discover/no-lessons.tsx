import { useQueries } from '@tanstack/react-query';
import type { discoverApi } from '#domain/discover/contract.ts';
import type { InputOf } from '#domain/endpoint.ts';
import { callApi } from '#web/app/api/api.ts';
import { openSlotsKey } from '#web/catalogue/open-slots.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { takeOff } from './active-filters.tsx';
import type { DiscoverChange, DiscoverSearch } from './discover-search.ts';
import { listActiveFilters } from './filter-controls.tsx';
import { loadDiscoverApi } from './use-open-slots.ts';

/** Says that no lessons match, and suggests a filter to remove. */
export function NoLessons({
  filters,
  onChange,
}: {
  filters: DiscoverSearch;
  onChange: (change: DiscoverChange) => void;
}) {
  const active = listActiveFilters(filters);
  const tries = useQueries({
    queries: active.map((filter) => {
      const input = { ...filters, ...takeOff([filter]), limit: 1 } as InputOf<
        typeof discoverApi.discoverSlots
      >;
      return {
        queryKey: [openSlotsKey, 'without', input],
        queryFn: async ({ signal }: { signal: AbortSignal }) =>
          callApi((await loadDiscoverApi()).discoverSlots, input, signal),
        enabled: active.length > 1,
      };
    }),
  });
  if (active.length === 0) {
    return (
      <EmptyState title="No open lessons right now">
        New lessons appear here as soon as coaches publish them. Check back soon.
      </EmptyState>
    );
  }
  const isLooking = active.length > 1 && tries.some(({ isPending }) => isPending);
  const dropped = active.length === 1 ? active[0] : active.find((_, at) => tries[at]?.data?.slots.length);
  const help =
    active.length === 1
      ? 'Remove the filter to see every open lesson.'
      : dropped
        ? `You'll find lessons if you remove the filter ${dropped.label}.`
        : 'Clear all filters to start again.';
  return (
    <EmptyState
      title="No lessons match these filters"
      action={
        !isLooking && (
          <Button variant="secondary" onClick={() => onChange(takeOff(dropped ? [dropped] : active))}>
            <span className="max-w-60 truncate">
              {dropped ? `Remove ${dropped.label}` : 'Clear all filters'}
            </span>
          </Button>
        )
      }
    >
      {!isLooking && help}
    </EmptyState>
  );
}
