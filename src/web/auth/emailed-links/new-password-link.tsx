import { Link } from '@tanstack/react-router';
import { Button } from '#web/ui/button.tsx';
import { AccountCard } from '../sign-in/account-card.tsx';

/**
 * Says that a new link is needed to choose a password, and links to the form that requests one. `next`: the page to go
 * to afterwards.
 */
export function NewPasswordLink({ next }: { next: string | undefined }) {
  return (
    <AccountCard title="You need a new link" subtitle="Each link can be used once and expires after an hour.">
      <Button asChild size="lg" className="w-full">
        <Link to="/forgot-password" search={{ next }}>
          Email me a new link
        </Link>
      </Button>
    </AccountCard>
  );
}
