import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { type ReactNode, StrictMode, startTransition, useEffect } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { createQueryClient, hydrateQueryCache } from './app/api/query-client.ts';
import { AuthProvider } from './app/auth/auth-provider.tsx';
import { router } from './routes.tsx';

// The content security policy forbids the Function constructor, which zod would try for speed, and browsers report
// the attempt.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

const client = createQueryClient();
const root = document.getElementById('root')!;
// The server-rendered page stays until the app can render the same content.
hydrateQueryCache(client);
const isServerRendered = root.dataset.serverRendered !== undefined;
if (isServerRendered) await router.load();

function Shown({ children }: { children: ReactNode }) {
  useEffect(() => root.removeAttribute('data-server-rendered'), []);
  return children;
}

const app = (
  <StrictMode>
    <QueryClientProvider client={client}>
      <AuthProvider>
        <Shown>
          <RouterProvider router={router} />
        </Shown>
      </AuthProvider>
    </QueryClientProvider>
  </StrictMode>
);

// A transition renders in small pieces, so that the browser can respond to scrolling in between.
startTransition(() => {
  if (isServerRendered) {
    // React handles presses from now on; early.js repeats earlier presses.
    root.dataset.serverRendered = 'hydrating';
    // Without `ssr`, the router renders different boundaries from those on the server.
    Object.assign(router, { ssr: {} });
    hydrateRoot(root, app);
  } else {
    createRoot(root).render(app);
  }
});
