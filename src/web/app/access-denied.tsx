import { Link, useLocation } from '@tanstack/react-router';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { useAuth } from './auth-provider.tsx';

/** Says that a page is not for this person. A visitor gets a way to sign in that leads back here. */
export function AccessDenied({ message }: { message: string }) {
  const { user } = useAuth();
  const here = useLocation({ select: ({ pathname, searchStr }) => pathname + searchStr });
  return (
    <div className="flex grow flex-col items-center justify-center py-10">
      <EmptyState
        titleAs="h1"
        title="Access Denied"
        action={
          user ? (
            <Button asChild variant="secondary">
              <Link to="/">Go to the start page</Link>
            </Button>
          ) : (
            <Button asChild>
              <Link to="/login" search={{ next: here }}>
                Sign in to continue
              </Link>
            </Button>
          )
        }
      >
        {message}
      </EmptyState>
    </div>
  );
}
