import { Link, useLocation } from '@tanstack/react-router';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { useAuth } from '../auth/auth-provider.tsx';
import { wasSessionEnded } from '../auth/session.ts';
import { HomeLink } from './header.tsx';

/** The page for every unknown URL. */
export function NotFoundScreen() {
  return (
    <div className="flex grow flex-col items-center justify-center py-10">
      <EmptyState
        titleAs="h1"
        title="Oops! Page not found"
        action={
          <Button asChild>
            <HomeLink>Go to the home page</HomeLink>
          </Button>
        }
      >
        The address may have been mistyped, or the page may have moved.
      </EmptyState>
    </div>
  );
}

const sessionEndedMessage =
  'You signed out in another window, or your session has ended. Sign in again to return to this page.';

/**
 * Says that the person has no access to the page, or that the session ended. Signed-out people get a sign-in link that
 * leads back to the page.
 */
export function AccessDenied({ message }: { message: string }) {
  const { user } = useAuth();
  const isEnded = !user && wasSessionEnded();
  const here = useLocation({ select: ({ pathname, searchStr }) => pathname + searchStr });
  return (
    <div className="flex grow flex-col items-center justify-center py-10">
      <EmptyState
        titleAs="h1"
        title={isEnded ? "You're signed out" : 'Access Denied'}
        action={
          user ? (
            <Button asChild variant="secondary">
              <Link to="/">Go to the home page</Link>
            </Button>
          ) : (
            <Button asChild>
              <Link to="/login" search={{ next: here }}>
                {isEnded ? 'Sign in again' : 'Sign in to continue'}
              </Link>
            </Button>
          )
        }
      >
        {isEnded ? sessionEndedMessage : message}
      </EmptyState>
    </div>
  );
}
