import { type ReactNode, Suspense } from 'react';
import { deniedMessages, isAllowed, type Role } from '#domain/access.ts';
import { Spinner } from '#web/ui/spinner.tsx';
import { useAuth } from './auth-provider.tsx';
import { lazyPart } from './lazy-part.ts';

const AccessDenied = lazyPart(async () => (await import('./access-denied.tsx')).AccessDenied);

/** Shows its children to those who may see them, and to others why not. */
export function AreaGate({ area, children }: { area: Role; children: ReactNode }) {
  const { user, profile, loading } = useAuth();
  if (loading) return <Spinner className="grow py-24" />;
  if (user && isAllowed(area, profile)) return children;
  return <NoAccess message={deniedMessages[area]} />;
}

/** Says that a page is not for this person, as soon as the words have been fetched. */
export function NoAccess({ message }: { message: string }) {
  return (
    <Suspense fallback={<Spinner className="grow py-24" />}>
      <AccessDenied message={message} />
    </Suspense>
  );
}
