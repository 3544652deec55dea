import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { type ReactNode, StrictMode, startTransition, useEffect } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { createQueryClient, hydrateQueryCache } from './app/api/query-client.ts';
import { AuthProvider } from './app/auth/auth-provider.tsx';
import { router } from './routes.tsx';

// The content security policy forbids the function constructor, which zod would try in order to be faster, and
// browsers report the attempt.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

const client = createQueryClient();
const root = document.getElementById('root')!;
// The server-rendered page stays until the app can show the same.
const isServerRendered = hydrateQueryCache(client);
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

// In small pieces, so that the browser responds to scrolling in between.
startTransition(() => {
  if (isServerRendered) {
    // From here on React responds to presses itself; early.js repeats those before.
    root.dataset.serverRendered = 'hydrating';
    // Without this the router renders other boundaries than on the server.
    Object.assign(router, { ssr: {} });
    hydrateRoot(root, app);
  } else {
    createRoot(root).render(app);
  }
});
