import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { roleNames } from '#domain/access.ts';
import { Button, type ButtonProps } from '#web/ui/button.tsx';
import { cn } from '#web/ui/class-names.ts';
import { toastError } from '#web/ui/overlay/toaster.ts';
import { messageOf } from './auth-failure.ts';
import { useAuth } from './auth-provider.tsx';

/**
 * The signed-in person's name (or email address, if there is no name) as a link to the account page, and
 * their roles.
 */
export function PersonLine({ className }: { className?: string }) {
  const { user, profile } = useAuth();
  const roles = profile?.roles ?? [];
  return (
    <div className={cn('min-w-0 base:text-right leading-tight', className)}>
      <Link
        to="/account"
        activeOptions={{ exact: true }}
        title="Account"
        className="block truncate text-sm font-medium hover:underline"
      >
        {profile?.fullName || profile?.email || user?.email}
      </Link>
      <p className="truncate text-xs text-muted-foreground">
        {roles.length > 0 ? roles.map((role) => roleNames[role]).join(', ') : roleNames.customer}
      </p>
    </div>
  );
}

const questions = new Set<() => Promise<boolean>>();

/**
 * Registers a question that a page asks before the person signs out, such as whether to discard typed input; if it
 * resolves to false, the person stays signed in. Returns a function that unregisters the question.
 */
export function askBeforeSignOut(question: () => Promise<boolean>): () => void {
  questions.add(question);
  return () => void questions.delete(question);
}

/** Ends this browser's session and goes to the landing page, unless a registered question resolves to false. */
export function SignOutButton(props: ButtonProps) {
  const { leave } = useAuth();
  const [isLeaving, setIsLeaving] = useState(false);
  async function signOut() {
    for (const ask of questions) if (!(await ask())) return;
    setIsLeaving(true);
    const { error } = await leave();
    if (!error) return;
    setIsLeaving(false);
    toastError(messageOf(error));
  }
  return (
    <Button {...props} isLoading={isLeaving} onClick={signOut}>
      Sign Out
    </Button>
  );
}
