import { Navigate } from '@tanstack/react-router';
import { type ReactNode, Suspense, useEffect } from 'react';
import { deniedMessages, isAllowed, type Role } from '#domain/access.ts';
import { lazyPart } from '#web/ui/lazy-part.ts';
import { PageSpinner } from '#web/ui/page/spinner.tsx';
import { useProduct } from '../api/product.ts';
import { MissingPage, PlainFailure } from '../layout/fallbacks.tsx';
import { useAuth } from './auth-provider.tsx';
import { hasStoredSession, wasSessionEnded } from './session.ts';

const AccessDenied = lazyPart(() => import('../layout/not-shown.tsx'), 'AccessDenied');

type AreaGateProps = { area: Role; isOpen?: boolean; children: ReactNode };

/** Shows the children to people with access to the area, and a refusal to everyone else. `isOpen` skips the check. */
export function AreaGate({ area, isOpen = false, children }: AreaGateProps) {
  const { user, profile, loading, isProfileUnreachable, refreshProfile } = useAuth();
  if (isOpen) return children;
  if (isProfileUnreachable) return <ProfileUnreachable onRetry={refreshProfile} />;
  if (loading) return <PageSpinner />;
  if (user && isAllowed(area, profile)) return children;
  return <NoAccess message={deniedMessages[area]} />;
}

/** Shown if the profile could be neither read nor created. After an outage, the profile is refetched automatically. */
export function ProfileUnreachable({ onRetry }: { onRetry: () => void }) {
  return (
    <PlainFailure
      title="We couldn't load your profile"
      message="Your data is safe. Try again in a moment. After an outage, this page reloads automatically."
      onRetry={onRetry}
    />
  );
}

/** Says that the person has no access to the page; shows a spinner until {@link AccessDenied} has loaded. */
export function NoAccess({ message }: { message: string }) {
  return (
    <Suspense fallback={<PageSpinner />}>
      <AccessDenied message={message} />
    </Suspense>
  );
}

/** Sends coaches and customers from /dashboard to their own area; admins and people without a role stay. */
export function DashboardGate({ children }: { children: ReactNode }) {
  const { user, loading, isAdmin, isCoach, isCustomer, isProfileUnreachable, refreshProfile } = useAuth();
  if (isProfileUnreachable) return <ProfileUnreachable onRetry={refreshProfile} />;
  if (loading) return <PageSpinner />;
  if (!user) return <NoAccess message="Please sign in to see your dashboard." />;
  if (!isAdmin && isCoach) return <Navigate to="/coach/dashboard" replace />;
  if (!isAdmin && isCustomer) return <Navigate to="/customer/dashboard" replace />;
  return children;
}

/** The app's `/`: the dashboard. Visitors are sent to the server-rendered landing page. */
export function Home({ dashboard }: { dashboard: ReactNode }) {
  const { user, loading, isCodeAwaited, isProfileUnreachable, refreshProfile } = useAuth();
  if (loading) return <PageSpinner />;
  if (isProfileUnreachable) return <ProfileUnreachable onRetry={refreshProfile} />;
  if (user) return dashboard;
  // A sign-in that still lacks the authenticator code continues on the sign-in page.
  if (isCodeAwaited) return <Navigate to="/login" replace />;
  if (wasSessionEnded()) return <NoAccess message="" />;
  // The landing page would send anyone with a stored session back to the app.
  return hasStoredSession() ? <SessionNotRead /> : <LeaveForStartPage />;
}

function LeaveForStartPage() {
  useEffect(() => location.replace('/'), []);
  return <PageSpinner />;
}

/** Shown if the stored session could not be checked because the network or the server is down. */
function SessionNotRead() {
  return (
    <PlainFailure
      title="We couldn't load your account"
      message="We couldn't reach the server. You're still signed in. Check your connection and try again."
      onRetry={() => location.reload()}
    />
  );
}

/** A page that exists only with the demo database. */
export function DemoOnly({ children }: { children: ReactNode }) {
  const { isDemo, isKnown } = useProduct();
  if (!isKnown) return <PageSpinner />;
  return isDemo ? children : <MissingPage />;
}
