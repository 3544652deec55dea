import { Navigate } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { PageSpinner } from '#web/ui/page/spinner.tsx';
import { PlainFailure } from '../api/plain-failure.tsx';
import { NoAccess, ProfileUnreachable } from './area-gate.tsx';
import { useAuth } from './auth-provider.tsx';
import { hasStoredSession } from './session.ts';

/** What the app shows at `/`: the dashboard. Visitors are sent on to the start page, which the server draws. */
export function Home({ dashboard }: { dashboard: ReactNode }) {
  const { user, loading, isCodeAwaited, isSessionEnded, isProfileUnreachable, refreshProfile } = useAuth();
  if (loading) return <PageSpinner />;
  if (isProfileUnreachable) return <ProfileUnreachable onRetry={refreshProfile} />;
  if (user) return dashboard;
  // The sign-in page is where the rest of a sign-in is asked for.
  if (isCodeAwaited) return <Navigate to="/login" replace />;
  if (isSessionEnded) return <NoAccess message="" />;
  // The start page would send whoever has a session straight back here.
  return hasStoredSession() ? <SessionNotRead /> : <LeaveForStartPage />;
}

function LeaveForStartPage() {
  useEffect(() => location.replace('/'), []);
  return <PageSpinner />;
}

/** A session is kept here, but it could be neither renewed nor refused: the network or the server is away. */
function SessionNotRead() {
  return (
    <PlainFailure
      title="We couldn't sign you in"
      message="The server could not be reached. Check your connection and try again; you stay signed in."
      onRetry={() => location.reload()}
    />
  );
}
