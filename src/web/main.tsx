import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { AuthProvider } from './app/auth-provider.tsx';
import { createQueryClient } from './app/query-client.ts';
import { router } from './routes.tsx';

// The content security policy forbids what zod would try in order to be faster, and browsers report the attempt.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={createQueryClient()}>
      <AuthProvider>
        <RouterProvider router={router} />
      </AuthProvider>
    </QueryClientProvider>
  </StrictMode>,
);
