import type { User } from '@supabase/auth-js';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToString } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import type { Role } from '#domain/access.ts';
import type { Profile } from '#domain/accounts/contract.ts';
import { sessionStorageKey } from '#domain/auth/session-storage.ts';

vi.stubGlobal('location', new URL('http://localhost/'));

test('throws an error that names AuthProvider when useAuth is used outside it [AUTH-8b]', async () => {
  const { useAuth } = await import('./auth-provider.tsx');
  const Stray = () => useAuth().user?.id;
  expect(() => renderToString(<Stray />)).toThrow(new Error('useAuth must be used within an AuthProvider'));
});

test('reports user, profile and roles, and whether they are still loading [AUTH-8a, AUTH-10a]', async () => {
  const { describePerson } = await import('./auth-provider.tsx');
  const user = { id: 'kim' } as User;
  const unknown = { user: null, profile: undefined, profileError: null, isChecked: false, isPending: true };
  const visitor = { isAdmin: false, isCoach: false, isCustomer: false, user: null, profile: null };
  expect(describePerson(unknown)).toMatchObject({ ...visitor, loading: true });
  expect(describePerson({ ...unknown, isChecked: true })).toMatchObject({ ...visitor, loading: false });
  const found = { ...unknown, user, isChecked: true };
  expect(describePerson(found)).toMatchObject({ user, profile: null, loading: true });
  const failed = describePerson({ ...found, isPending: false, profileError: new Error('away') });
  expect(failed).toMatchObject({ ...visitor, user, loading: false, isProfileUnreachable: true });

  for (const roles of [['customer'], ['coach', 'admin'], []] as Role[][]) {
    const profile = { fullName: 'Kim Vale', roles } as Profile;
    const { hasRole, ...person } = describePerson({ ...found, profile, isPending: false });
    expect(person).toEqual({
      ...{ user, profile, loading: false, isProfileUnreachable: false },
      isAdmin: roles.includes('admin'),
      isCoach: roles.includes('coach'),
      isCustomer: roles.includes('customer'),
    });
    for (const role of ['customer', 'coach', 'admin'] as const)
      expect(hasRole(role)).toBe(roles.includes(role));
    // After sign-out, a cached profile is ignored.
    expect(describePerson({ ...found, user: null, profile })).toMatchObject(visitor);
  }
});

test.each([
  ['starts in the loading state if a session is stored', '{}', true],
  ['starts without the loading state if no session is stored', null, false],
])('%s [AUTH-8a]', async (_name, stored, isLoading) => {
  vi.stubGlobal('localStorage', { getItem: (key: string) => (key === sessionStorageKey ? stored : null) });
  const { AuthProvider, useAuth } = await import('./auth-provider.tsx');
  const specified = ['user', 'profile', 'loading', 'isAdmin', 'isCoach', 'isCustomer', 'hasRole'] as const;
  const Probe = () => {
    const auth = useAuth();
    for (const name of [...specified, 'refreshProfile'] as const) expect(auth[name], name).toBeDefined();
    return String(auth.loading);
  };
  const shown = renderToString(
    <QueryClientProvider client={new QueryClient()}>
      <AuthProvider>
        <Probe />
      </AuthProvider>
    </QueryClientProvider>,
  );
  expect(shown).toBe(String(isLoading));
});
