import type { GoTrueClient, Session } from '@supabase/auth-js';
import { AppError } from '#domain/errors.ts';

// public-page.ts looks at it too, to know whether the app is wanted at the start page.
const storageKey = 'touchline.session';

/** What the verification mail's link brought along, read before the client takes it out of the address. */
export const arrival = new URLSearchParams(globalThis.location?.hash.slice(1));
const cameByLink = arrival.has('access_token') || arrival.has('error');

/** True where a mail's link led here that was used already, ran out or never was one. */
export const cameByFailedLink = arrival.has('error');

/** True where somebody is signed in here, or arrives by a mail's link: known without asking anybody. */
export function hasStoredSession(): boolean {
  try {
    return arrival.has('access_token') || localStorage.getItem(storageKey) !== null;
  } catch {
    return false;
  }
}

let opening: Promise<GoTrueClient> | undefined;

/** The account client, fetched on first use: a visitor's first page is drawn without it. */
export function openAuth(): Promise<GoTrueClient> {
  opening ??= import('./auth-client.ts').then(
    ({ createAuthClient }) => {
      const auth = createAuthClient(storageKey);
      // The client leaves a bare "#" behind, and a failed link's reason, which a reload would tell once more.
      if (cameByLink) void auth.initialize().then(clearFragment);
      return auth;
    },
    (failure) => {
      opening = undefined;
      throw failure;
    },
  );
  return opening;
}

function clearFragment() {
  history.replaceState(history.state, '', location.pathname + location.search);
}

const unreachable = () =>
  new AppError('unavailable', "We couldn't reach the server. Check your connection and try again.");

/**
 * The access token to call the API with, renewed where it ran out; null for a signed-out visitor.
 * Throws `unavailable` while it cannot be renewed, since calling on as a stranger would look like a sign-out.
 */
export async function readAccessToken(): Promise<string | null> {
  if (!opening && !hasStoredSession()) return null;
  const auth = await openAuth().catch(() => {
    throw unreachable();
  });
  const { data, error } = await auth.getSession();
  if (error?.name === 'AuthRetryableFetchError') throw unreachable();
  return data.session && !isCodeNeeded(data.session) ? data.session.access_token : null;
}

/** True where the password was right and the account's authenticator app is still to be asked: not signed in yet. */
export function isCodeNeeded({ access_token: token, user }: Session): boolean {
  if (!user.factors?.some(({ status }) => status === 'verified')) return false;
  const claims = token.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/');
  return (JSON.parse(atob(claims)) as { aal?: string }).aal !== 'aal2';
}

let recheck: Promise<unknown> | null = null;

/**
 * To be called when the API refused our token: renews it, and where the session is over (ended elsewhere, account
 * gone) the client drops it, so that the screens offer to sign in.
 */
export async function recheckSession(): Promise<void> {
  const auth = await openAuth();
  const { data } = await auth.getSession();
  if (!data.session) return;
  recheck ??= auth.refreshSession().finally(() => {
    recheck = null;
  });
  await recheck;
}
