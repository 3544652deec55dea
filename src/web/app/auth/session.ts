import type { AuthError, GoTrueClient, Session } from '@supabase/auth-js';
import { sessionStorageKey } from '#domain/auth/session-storage.ts';
import { AppError } from '#domain/errors.ts';
import { fetchNotingWait, unreachableMessage } from './auth-failure.ts';

/** Uses the browser's storage; returns undefined if the browser blocks storage, and on the server. */
function tryStorage<Result>(use: () => Result): Result | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}

/** True if this browser stores a session; makes no request. */
export const hasStoredSession = (): boolean =>
  Boolean(tryStorage(() => localStorage.getItem(sessionStorageKey)));

/**
 * Records, until the tab closes, that the tab had a session, so that a reloaded page can say that the session ended.
 */
export const noteSession = () => tryStorage(() => sessionStorage.setItem(sessionStorageKey, 'noted'));

/**
 * True if this tab's session expired or was ended elsewhere, not by signing out in this tab. A session whose renewal
 * gets no response stays stored and does not count as ended.
 */
export const wasSessionEnded = (): boolean =>
  !hasStoredSession() && Boolean(tryStorage(() => sessionStorage.getItem(sessionStorageKey)));

let opening: Promise<GoTrueClient> | undefined;

let loadClient = () => import('@supabase/auth-js').then(({ AuthClient }) => AuthClient);

/**
 * The account client, loaded on first use: a visitor's first page renders without it. The client keeps the session in
 * the storage that this browser's tabs share, and renews the session with its own timer and back-off. `/auth/v1` is our
 * own server.
 */
export function openAuth(): Promise<GoTrueClient> {
  opening ??= loadClient().then(
    (AuthClient) =>
      new AuthClient({
        url: `${location.origin}/auth/v1`,
        storageKey: sessionStorageKey,
        fetch: fetchNotingWait,
        persistSession: true,
        autoRefreshToken: true,
        // Tokens in a link could be another person's: opening the link would sign the reader in to that account.
        detectSessionInUrl: false,
      }),
    (failure) => {
      opening = undefined;
      // Older browsers never request a module again after a failed fetch, unless its URL differs
      // (https://github.com/whatwg/html/pull/10327).
      const [url] = /https?:[^\s?]+/.exec(failure) ?? [];
      if (url)
        loadClient = () =>
          import(/* @vite-ignore */ `${url}?${Date.now()}`).then(({ AuthClient }) => AuthClient);
      throw failure;
    },
  );
  return opening;
}

/**
 * Calls the account client. If its script could not be loaded, returns the error that the client itself returns when
 * there is no connection.
 */
export async function callAuth<Answer extends { error: AuthError | null }>(
  call: (auth: GoTrueClient) => Promise<Answer>,
): Promise<Answer | { data: null; error: AuthError }> {
  const auth = await openAuth().catch(() => null);
  return auth ? call(auth) : { data: null, error: { name: 'AuthRetryableFetchError' } as AuthError };
}

/**
 * Deletes the copies of registers (bookings/register/register-copies.ts) on this device, and the notes that are stored
 * under the same prefix.
 */
export const deleteRegisters = () =>
  tryStorage(() => {
    for (const key of Object.keys(localStorage))
      if (key.startsWith('app.register.')) localStorage.removeItem(key);
  });

/** Ends this session (`local`), this person's other sessions (`others`), or all sessions of this person (`global`). */
export async function signOut(scope: 'local' | 'others' | 'global'): Promise<{ error: AuthError | null }> {
  if (scope !== 'others') {
    deleteRegisters();
    tryStorage(() => sessionStorage.removeItem(sessionStorageKey));
  }
  const { error } = await callAuth((auth) => auth.signOut({ scope }));
  if (error) noteSession();
  return { error };
}

/**
 * The access token for calls to the API, renewed if it has expired; null if nobody is signed in or the second step is
 * missing. Throws `unavailable` if the client cannot be loaded or the token cannot be renewed, because an anonymous
 * call would look like a sign-out.
 */
export async function readAccessToken(): Promise<string | null> {
  if (!opening && !hasStoredSession()) return null;
  const { data, error } = await callAuth((auth) => auth.getSession());
  if (error?.name === 'AuthRetryableFetchError') throw new AppError('unavailable', unreachableMessage);
  return data?.session && !isCodeNeeded(data.session) ? data.session.access_token : null;
}

/** True if the account has an authenticator app and the session lacks its code: nobody is signed in yet. */
export function isCodeNeeded({ access_token: token, user }: Session): boolean {
  if (!user.factors?.some(({ status }) => status === 'verified')) return false;
  return readClaims(token).aal !== 'aal2';
}

type Claims = { aal?: string; amr?: { method: string }[] };

/** The claims of our access token; only the server verifies its signature. */
export function readClaims(token: string): Claims {
  return JSON.parse(atob(token.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/')));
}

let recheck: Promise<unknown> | null = null;

/**
 * Renews the token; call this when the API has refused the token. If the session is over (ended elsewhere, account
 * deleted), the client discards the session and the screens ask the person to sign in.
 */
export async function recheckSession(): Promise<void> {
  const { data } = await callAuth((auth) => auth.getSession());
  if (!data?.session) return;
  recheck ??= callAuth((auth) => auth.refreshSession()).finally(() => {
    recheck = null;
  });
  await recheck;
}
