import { AuthClient } from '@supabase/auth-js';
import { storageKey } from './session.ts';

/**
 * The session of this browser: kept in its storage, shared by its tabs, renewed on its own (ticks and back-off are
 * the client's). `/auth/v1` is our own server.
 */
export const auth = new AuthClient({
  url: `${location.origin}/auth/v1`,
  storageKey,
  persistSession: true,
  autoRefreshToken: true,
  detectSessionInUrl: true,
  flowType: 'implicit',
});
