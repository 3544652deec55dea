import { Link } from '@tanstack/react-router';
import { Button } from '#web/ui/button.tsx';
import { AccountCard } from '../sign-in/account-card.tsx';

/**
 * Says that choosing a new password needs another link, and links to the form for it. `next`: the page to go to
 * afterwards.
 */
export function NewPasswordLink({ next }: { next: string | undefined }) {
  return (
    <AccountCard
      title="You need a new link"
      subtitle="A link to choose a new password works once and for an hour."
    >
      <Button asChild size="lg" className="w-full">
        <Link to="/forgot-password" search={{ next }}>
          Email me a new link
        </Link>
      </Button>
    </AccountCard>
  );
}
