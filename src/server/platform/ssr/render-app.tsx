import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  type AnyRoute,
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { renderToPipeableStream } from 'react-dom/server';
import { AuthProvider } from '#web/app/auth/auth-provider.tsx';
import { AppFrame } from '#web/app/layout/app-frame.tsx';
import { PageSpinner } from '#web/ui/page/spinner.tsx';
import type { DehydratedQuery } from './app-page.ts';

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

/** The root of the app's routes; each render needs its own, because routers write into their routes. */
export const createAppRoot = () => createRootRoute({ component: AppFrame });

/**
 * Renders a page of the app as a visitor's browser would after hydration, and returns the HTML of the app's root.
 * `address` is the path with its query, in the form to which the routes redirect: for any other form, the router
 * renders nothing.
 */
export async function renderApp({
  routeTree,
  address,
  dehydrated,
}: {
  routeTree: AnyRoute;
  address: string;
  dehydrated: DehydratedQuery[];
}): Promise<string> {
  const history = createMemoryHistory({ initialEntries: [address] });
  const router = createRouter({ routeTree, history, defaultPendingComponent: PageSpinner });
  await router.load();
  const client = new QueryClient();
  for (const { key, data } of dehydrated) client.setQueryData(key, data);
  return renderWhole(
    <QueryClientProvider client={client}>
      <AuthProvider>
        <RouterProvider router={router as never} />
      </AuthProvider>
    </QueryClientProvider>,
  );
}
