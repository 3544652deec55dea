import { createRoute, defaultParseSearch, defaultStringifySearch } from '@tanstack/react-router';
import { type DiscoverFilters, discoverApi } from '#domain/discover/contract.ts';
import type { OutputOf } from '#domain/endpoint.ts';
import { settingsApi } from '#domain/settings/contract.ts';
import type { DehydratedQuery } from '#server/platform/ssr/app-page.ts';
import { createAppRoot, renderApp } from '#server/platform/ssr/render-app.tsx';
import { keyOf } from '#web/app/api/api.ts';
import { CustomerLayout } from '#web/app/layout/area-layout.tsx';
import { DiscoverScreen } from '#web/discover/discover.tsx';
import { readDiscoverSearch } from '#web/discover/discover-search.ts';

type Discover = OutputOf<typeof discoverApi.discoverSlots>;

/** The data that the screen renders. `discover` reads the first page for the filters in the URL. */
type DiscoverParts = {
  product: OutputOf<typeof settingsApi.getProduct>;
  discover: (filters: DiscoverFilters) => Promise<Discover>;
};

/** The query as the app would correct it: known filters in a fixed order. Empty if no known filter is left. */
export const normaliseQuery = (query: string): string =>
  defaultStringifySearch(readDiscoverSearch(defaultParseSearch(query)));

/**
 * Renders discover as a visitor's browser would after hydration. `query`: "?sport=tennis", or empty. Returns the HTML
 * of the app's root and the dehydrated state.
 */
export async function renderDiscover(
  query: string,
  { product, discover }: DiscoverParts,
): Promise<{ html: string; dehydrated: DehydratedQuery[] }> {
  const root = createAppRoot();
  const layout = createRoute({ getParentRoute: () => root, path: '/customer', component: CustomerLayout });
  const screen = createRoute({
    getParentRoute: () => layout,
    path: '/discover',
    validateSearch: readDiscoverSearch,
    component: DiscoverScreen,
  });
  const search = readDiscoverSearch(defaultParseSearch(query));
  const { lesson, book, ...filters } = search;
  const first = await discover(filters);
  const at = Date.now();
  const dehydrated: DehydratedQuery[] = [
    { key: keyOf(settingsApi.getProduct), data: product, at },
    {
      key: keyOf(discoverApi.discoverSlots, filters),
      data: { pages: [first], pageParams: [null] },
      at,
    },
  ];
  const html = await renderApp({
    routeTree: root.addChildren([layout.addChildren([screen])]),
    address: `/customer/discover${normaliseQuery(query)}`,
    dehydrated,
  });
  return { html, dehydrated };
}
