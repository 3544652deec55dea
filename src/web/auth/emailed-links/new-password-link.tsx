import { Link } from '@tanstack/react-router';
import { Button } from '#web/ui/button.tsx';
import { AccountCard } from '../sign-in/account-card.tsx';

/**
 * Says that a link is needed to choose a password, and links to the form that requests one. `next`: the page to go to
 * afterwards; `isNew`: whether the person has opened a link that no longer works.
 */
export function NewPasswordLink({ next, isNew = false }: { next: string | undefined; isNew?: boolean }) {
  const link = isNew ? 'new link' : 'reset link';
  return (
    <AccountCard
      title={`You need a ${link}`}
      subtitle="Each link can be used once and expires after an hour."
    >
      <Button asChild size="lg" className="w-full">
        <Link to="/forgot-password" search={{ next }}>
          Email me a {link}
        </Link>
      </Button>
    </AccountCard>
  );
}
