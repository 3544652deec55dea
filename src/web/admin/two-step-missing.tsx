import { Link } from '@tanstack/react-router';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/page/empty-state.tsx';

/** Replaces the panel for an admin who has not set up the required two-step sign-in. */
export function TwoStepMissing() {
  return (
    <EmptyState
      titleAs="h2"
      title="Set up two-step sign-in first"
      action={
        <Button asChild>
          <Link to="/account">Go to your account</Link>
        </Button>
      }
    >
      Admins also need a code from an authenticator app to sign in. Set up an app on your account page to open
      this page.
    </EmptyState>
  );
}
