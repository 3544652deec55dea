import type { ReactNode } from 'react';
import { Spinner } from '#web/ui/spinner.tsx';
import { useAuth } from './auth-provider.tsx';

/** What stands at `/`: the landing page for visitors, the dashboard for whoever is signed in. */
export function Home({ landing, dashboard }: { landing: ReactNode; dashboard: ReactNode }) {
  const { user, loading } = useAuth();
  if (loading) return <Spinner className="grow py-24" />;
  return user ? dashboard : landing;
}
