import { AuthClient } from '@supabase/auth-js';
import { sessionStorageKey } from '#domain/auth/session-storage.ts';
import { fetchNotingWait } from './auth-failure.ts';

/**
 * This browser's session: kept in its storage, shared by its tabs, renewed automatically (ticks and back-off are the
 * client's). `/auth/v1` is our own server.
 */
export function createAuthClient() {
  return new AuthClient({
    url: `${location.origin}/auth/v1`,
    storageKey: sessionStorageKey,
    fetch: fetchNotingWait,
    persistSession: true,
    autoRefreshToken: true,
    // Tokens in a link could be another person's: opening it would sign the reader in to that account.
    detectSessionInUrl: false,
  });
}
