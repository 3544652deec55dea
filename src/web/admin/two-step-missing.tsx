import { Link } from '@tanstack/react-router';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/page/empty-state.tsx';

/** What an admin sees instead of the panel while the operator waits for two-step sign-in. */
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
      Admins sign in here with a code from an authenticator app, too. Set one up on your account page, and
      this page opens.
    </EmptyState>
  );
}
