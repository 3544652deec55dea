import { AuthClient } from '@supabase/auth-js';

/**
 * The session of this browser: kept in its storage, shared by its tabs, renewed on its own (ticks and back-off are
 * the client's). `/auth/v1` is our own server.
 */
export function createAuthClient(storageKey: string) {
  return new AuthClient({
    url: `${location.origin}/auth/v1`,
    storageKey,
    persistSession: true,
    autoRefreshToken: true,
    detectSessionInUrl: true,
    flowType: 'implicit',
  });
}
