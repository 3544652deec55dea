import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  defaultParseSearch,
  defaultStringifySearch,
  RouterProvider,
} from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { renderToPipeableStream } from 'react-dom/server';
import { type DiscoverFilters, discoverApi } from '#domain/discover/contract.ts';
import type { OutputOf } from '#domain/endpoint.ts';
import { settingsApi } from '#domain/settings/contract.ts';
import { keyOf } from '#web/app/api/api.ts';
import type { DehydratedQuery } from '#web/app/api/query-client.ts';
import { AuthProvider } from '#web/app/auth/auth-provider.tsx';
import { AppFrame } from '#web/app/layout/app-frame.tsx';
import { CustomerLayout } from '#web/app/layout/area-layout.tsx';
import { DiscoverScreen } from '#web/discover/discover.tsx';
import { readDiscoverSearch } from '#web/discover/discover-search.ts';
import { PageSpinner } from '#web/ui/page/spinner.tsx';

type Discover = OutputOf<typeof discoverApi.discoverSlots>;

/** The data that the screen renders. `discover` reads the first page for the filters in the URL. */
type DiscoverParts = {
  product: OutputOf<typeof settingsApi.getProduct>;
  discover: (filters: DiscoverFilters) => Promise<Discover>;
};

/**
 * Renders the complete HTML in one piece, including the parts that React would stream later, because streaming needs
 * inline scripts.
 */
function renderWhole(page: ReactNode): Promise<string> {
  return new Promise((resolve, reject) => {
    const { pipe } = renderToPipeableStream(page, {
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onAllReady: () => resolve(text(pipe(new PassThrough()))),
      onShellError: reject,
      onError: reject,
    });
  });
}

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
  const root = createRootRoute({ component: AppFrame });
  const layout = createRoute({ getParentRoute: () => root, path: '/customer', component: CustomerLayout });
  const screen = createRoute({
    getParentRoute: () => layout,
    path: '/discover',
    validateSearch: readDiscoverSearch,
    component: DiscoverScreen,
  });
  // The router renders nothing at a URL that it would correct.
  const search = readDiscoverSearch(defaultParseSearch(query));
  const history = createMemoryHistory({ initialEntries: [`/customer/discover${normaliseQuery(query)}`] });
  const router = createRouter({
    routeTree: root.addChildren([layout.addChildren([screen])]),
    history,
    defaultPendingComponent: PageSpinner,
  });
  await router.load();
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
  const client = new QueryClient();
  for (const { key, data } of dehydrated) client.setQueryData(key, data);
  const html = await renderWhole(
    <QueryClientProvider client={client}>
      <AuthProvider>
        <RouterProvider router={router as never} />
      </AuthProvider>
    </QueryClientProvider>,
  );
  return { html, dehydrated };
}
