import { Navigate } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { PageSpinner } from '#web/ui/page/spinner.tsx';
import { PlainFailure } from '../api/plain-failure.tsx';
import { NoAccess, ProfileUnreachable } from './area-gate.tsx';
import { useAuth } from './auth-provider.tsx';
import { hasStoredSession } from './session.ts';

/** The app's `/`: the dashboard. Visitors are sent to the server-rendered start page. */
export function Home({ dashboard }: { dashboard: ReactNode }) {
  const { user, loading, isCodeAwaited, isSessionEnded, isProfileUnreachable, refreshProfile } = useAuth();
  if (loading) return <PageSpinner />;
  if (isProfileUnreachable) return <ProfileUnreachable onRetry={refreshProfile} />;
  if (user) return dashboard;
  // The sign-in page completes a half-finished sign-in.
  if (isCodeAwaited) return <Navigate to="/login" replace />;
  if (isSessionEnded) return <NoAccess message="" />;
  // The start page would send anyone with a session back here.
  return hasStoredSession() ? <SessionNotRead /> : <LeaveForStartPage />;
}

function LeaveForStartPage() {
  useEffect(() => location.replace('/'), []);
  return <PageSpinner />;
}

/** There is a session, but it could be neither renewed nor refused: the network or the server is down. */
function SessionNotRead() {
  return (
    <PlainFailure
      title="We couldn't sign you in"
      message="The server could not be reached. Check your connection and try again; you stay signed in."
      onRetry={() => location.reload()}
    />
  );
}
