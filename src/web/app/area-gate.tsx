import { type ReactNode, Suspense } from 'react';
import { deniedMessages, isAllowed, type Role } from '#domain/access.ts';
import { Spinner } from '#web/ui/spinner.tsx';
import { useAuth } from './auth-provider.tsx';
import { lazyPart } from './lazy-part.ts';
import { PlainFailure } from './plain-failure.tsx';

const AccessDenied = lazyPart(async () => (await import('./access-denied.tsx')).AccessDenied);

/** Shows its children to those who may see them, and to others why not. */
export function AreaGate({ area, children }: { area: Role; children: ReactNode }) {
  const { user, profile, loading, isProfileUnreachable, refreshProfile } = useAuth();
  if (isProfileUnreachable) return <ProfileUnreachable onRetry={refreshProfile} />;
  if (loading) return <Spinner className="grow py-24" />;
  if (user && isAllowed(area, profile)) return children;
  return <NoAccess message={deniedMessages[area]} />;
}

/** Says that nobody can tell right now what this person may see. */
export function ProfileUnreachable({ onRetry }: { onRetry: () => void }) {
  return (
    <PlainFailure
      title="Touchline is not answering right now"
      message="Nothing is lost. This page comes back by itself as soon as Touchline does."
      onRetry={onRetry}
    />
  );
}

/** Says that a page is not for this person, as soon as the words have been fetched. */
export function NoAccess({ message }: { message: string }) {
  return (
    <Suspense fallback={<Spinner className="grow py-24" />}>
      <AccessDenied message={message} />
    </Suspense>
  );
}
