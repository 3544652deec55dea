import type { AuthError, User } from '@supabase/auth-js';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type { Role } from '#domain/access.ts';
import { accountsApi, type Profile } from '#domain/accounts/contract.ts';
import { callApi } from '../api/api.ts';
import {
  callAuth,
  deleteRegisters,
  hasStoredSession,
  isCodeNeeded,
  noteSession,
  openAuth,
  signOut,
} from './session.ts';

if (hasStoredSession()) noteSession();

type Outcome = { error: AuthError | null };

/** `next`: the page of our site that the verification link leads to; `/` by default. */
type NewPerson = { email: string; password: string; fullName: string; next?: string };

type Auth = {
  user: User | null;
  /** Null while signed out or loading, and if the profile could be neither read nor created. */
  profile: Profile | null;
  /** True if the profile is null because it could be neither read nor created. */
  isProfileUnreachable: boolean;
  /** True until the stored session has been checked, and again while a new session's profile is fetched. */
  loading: boolean;
  /** True if the stored session still lacks the authenticator code: nobody is signed in yet. */
  isCodeAwaited: boolean;
  isAdmin: boolean;
  isCoach: boolean;
  isCustomer: boolean;
  hasRole: (role: Role) => boolean;
  /** Refetches the profile; call this after a change to the profile, such as a new role or card. */
  refreshProfile: () => Promise<void>;
  signIn: (email: string, password: string) => Promise<Outcome>;
  /** Creates an account; the session starts when the person verifies the address with the emailed link. */
  signUp: (person: NewPerson) => Promise<Outcome>;
  /** Ends this browser's session, in all tabs. */
  signOut: () => Promise<Outcome>;
  /** Signs out and goes to the server-rendered landing page; the current page stays until the landing page loads. */
  leave: () => Promise<Outcome>;
};

const AuthContext = createContext<Auth | null>(null);

/** The signed-in person, and the functions to sign in and out. Throws outside an `AuthProvider`. */
export function useAuth(): Auth {
  const value = useContext(AuthContext);
  if (!value) throw new Error('useAuth must be used within an AuthProvider');
  return value;
}

const subscribeToNothing = () => () => {};

/**
 * True if nobody is signed in. For components of server-rendered pages: the server renders for visitors, so this is
 * true until the page is hydrated.
 */
export function useIsVisitor(): boolean {
  const { user, loading } = useAuth();
  return useSyncExternalStore(
    subscribeToNothing,
    () => !user && !loading,
    () => true,
  );
}

async function readOrCreateProfile(): Promise<Profile> {
  try {
    const { profile } = await callApi(accountsApi.getProfile, {});
    return profile ?? (await callApi(accountsApi.createProfile, {})).profile;
  } catch (error) {
    console.error('Failed to fetch the profile', error);
    throw error;
  }
}

type PersonState = {
  user: User | null;
  /** The profile as last read; undefined before the first read. */
  profile: Profile | undefined;
  profileError: Error | null;
  /** True once it is known whether someone is signed in. */
  isChecked: boolean;
  /** True until the profile has loaded or failed to load. */
  isPending: boolean;
};

/** Derives the person, profile, roles and loading state that screens see. */
export function describePerson({ user, profile, profileError, isChecked, isPending }: PersonState) {
  const known = (user && profile) || null;
  const hasRole = (role: Role) => known?.roles.includes(role) ?? false;
  return {
    user,
    profile: known,
    isProfileUnreachable: user !== null && known === null && profileError !== null,
    loading: !isChecked || (user !== null && isPending),
    isAdmin: hasRole('admin'),
    isCoach: hasRole('coach'),
    isCustomer: hasRole('customer'),
    hasRole,
  };
}

function isSameUser(known: User | null, next: User | undefined) {
  return known?.id === next?.id && known?.updated_at === next?.updated_at;
}

/** Provides the session and profile to its children; must be inside the query client's provider. */
export function AuthProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const [isChecked, setIsChecked] = useState(!hasStoredSession());
  const [user, setUser] = useState<User | null>(null);
  const [isCodeAwaited, setIsCodeAwaited] = useState(false);
  const isLeaving = useRef(false);
  const userId = user?.id ?? null;

  useEffect(() => {
    let stop = () => {};
    let isOver = false;
    let retry: ReturnType<typeof setTimeout> | undefined;
    async function listen() {
      const auth = await openAuth();
      if (isOver) return;
      // The client holds its lock during this callback, so calls to the client must wait until the callback returns.
      const { data } = auth.onAuthStateChange((_event, session) => {
        setTimeout(() => {
          if (isLeaving.current && !session) return;
          const isAwaited = session !== null && isCodeNeeded(session);
          const next = isAwaited ? undefined : session?.user;
          setIsCodeAwaited(isAwaited);
          if (session) noteSession();
          setUser((known) => (isSameUser(known, next) ? known : (next ?? null)));
          setIsChecked(true);
        });
      });
      stop = () => data.subscription.unsubscribe();
    }
    function start() {
      listen().catch((error) => {
        console.error('Failed to load the account client', error);
        if (!isOver) retry = setTimeout(start, 2_000);
      });
    }
    start();
    return () => {
      isOver = true;
      clearTimeout(retry);
      stop();
    };
  }, []);

  const {
    data: profile,
    error: profileError,
    isPending,
    refetch,
  } = useQuery({
    queryKey: ['get_profile', userId],
    queryFn: readOrCreateProfile,
    enabled: userId !== null,
    staleTime: 5 * 60_000,
  });

  // One person's data must not be shown to the next person to sign in with this browser.
  const seenUserId = useRef<string | null>(null);
  useEffect(() => {
    const previous = seenUserId.current;
    seenUserId.current = userId;
    if (previous === null || previous === userId) return;
    deleteRegisters();
    client.removeQueries({ type: 'inactive' });
    void client.resetQueries({ type: 'active' });
  }, [client, userId]);

  const refreshProfile = useCallback(async () => {
    await refetch();
  }, [refetch]);

  const value = useMemo<Auth>(() => {
    return {
      ...describePerson({ user, profile, profileError, isChecked, isPending }),
      isCodeAwaited,
      refreshProfile,
      signIn: (email, password) => callAuth((auth) => auth.signInWithPassword({ email, password })),
      signUp: ({ email, password, fullName, next = '/' }) => {
        const options = { data: { full_name: fullName }, emailRedirectTo: location.origin + next };
        return callAuth((auth) => auth.signUp({ email, password, options }));
      },
      signOut: () => signOut('local'),
      leave: async () => {
        isLeaving.current = true;
        const { error } = await signOut('local');
        isLeaving.current = error === null;
        if (!error) location.assign('/');
        return { error };
      },
    };
  }, [user, profile, profileError, isCodeAwaited, isChecked, isPending, refreshProfile]);

  return <AuthContext value={value}>{children}</AuthContext>;
}
