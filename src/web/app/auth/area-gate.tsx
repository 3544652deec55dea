import { type ReactNode, Suspense } from 'react';
import { deniedMessages, isAllowed, type Role } from '#domain/access.ts';
import { PageSpinner } from '#web/ui/page/spinner.tsx';
import { lazyPart } from '../api/lazy-part.ts';
import { PlainFailure } from '../api/plain-failure.tsx';
import { useAuth } from './auth-provider.tsx';

const AccessDenied = lazyPart(async () => (await import('./access-denied.tsx')).AccessDenied);

type AreaGateProps = { area: Role; isOpen?: boolean; children: ReactNode };

/** Renders its children for people who may see them, and otherwise the reason. `isOpen`: everyone may. */
export function AreaGate({ area, isOpen = false, children }: AreaGateProps) {
  const { user, profile, loading, isProfileUnreachable, refreshProfile } = useAuth();
  if (isOpen) return children;
  if (isProfileUnreachable) return <ProfileUnreachable onRetry={refreshProfile} />;
  if (loading) return <PageSpinner />;
  if (user && isAllowed(area, profile)) return children;
  return <NoAccess message={deniedMessages[area]} />;
}

/** Shown while roles are unknown; after an outage the profile is fetched automatically. */
export function ProfileUnreachable({ onRetry }: { onRetry: () => void }) {
  return (
    <PlainFailure
      title="We couldn't load your profile"
      message="Your data is safe. Try again in a moment; this page also reloads by itself after an outage."
      onRetry={onRetry}
    />
  );
}

/** Says that a page is not for this person, as soon as the words have been fetched. */
export function NoAccess({ message }: { message: string }) {
  return (
    <Suspense fallback={<PageSpinner />}>
      <AccessDenied message={message} />
    </Suspense>
  );
}
