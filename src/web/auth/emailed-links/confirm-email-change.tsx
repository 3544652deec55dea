import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { messageOf } from '#web/app/auth/auth-failure.ts';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { callAuth } from '#web/app/auth/session.ts';
import { Button } from '#web/ui/button.tsx';
import { AccountCard } from '../sign-in/account-card.tsx';

type Outcome = { kind: 'waiting' } | { kind: 'changed' } | { kind: 'refused'; message: string };

/**
 * The page opened by the emailed links that confirm a change of address. Only its button confirms the change,
 * because email scanners open links too.
 */
export default function ConfirmEmailChangeScreen() {
  const { user, refreshProfile } = useAuth();
  const { token } = useSearch({ from: '/email-change' });
  const [isSending, setIsSending] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(
    token
      ? null
      : { kind: 'refused', message: 'This link is incomplete. Open the link from the email again.' },
  );

  async function confirm() {
    setIsSending(true);
    const { data, error } = await callAuth((auth) =>
      auth.verifyOtp({ type: 'email_change', token_hash: token! }),
    );
    setIsSending(false);
    if (error) return setOutcome({ kind: 'refused', message: messageOf(error) });
    // Without a session, the client returns the raw response body as the user; its `msg` is GoTrue's message.
    const { msg = '' } = (data.user ?? {}) as { msg?: string };
    const isWaiting = msg.startsWith('Confirmation link accepted');
    setOutcome({ kind: isWaiting ? 'waiting' : 'changed' });
    if (isWaiting || !user) return;
    await callAuth((auth) => auth.refreshSession());
    await refreshProfile();
  }

  if (!outcome) {
    return (
      <AccountCard
        title="Confirm the change"
        subtitle="Your account's email address changes once both addresses are confirmed."
      >
        <Button
          size="lg"
          className="w-full"
          onClick={() => void confirm()}
          isLoading={isSending}
          loadingText="Confirming..."
        >
          Confirm this address
        </Button>
      </AccountCard>
    );
  }
  if (outcome.kind === 'waiting') {
    return (
      <AccountCard title="Address confirmed" subtitle="One step left.">
        <p role="status">
          Now open the link we emailed to the other address. Your email address changes as soon as you've
          confirmed both addresses.
        </p>
      </AccountCard>
    );
  }
  if (outcome.kind === 'changed') {
    return (
      <AccountCard title="Email address changed" subtitle="You've confirmed both addresses.">
        <p role="status" className="mb-6">
          Sign in with the new address from now on. Your password hasn't changed.
        </p>
        <Button asChild size="lg" className="w-full">
          {user ? <Link to="/account">Go to your account</Link> : <Link to="/login">Sign in</Link>}
        </Button>
      </AccountCard>
    );
  }
  return (
    <AccountCard title="This didn't work" subtitle="We couldn't confirm the change.">
      <p role="alert" className="mb-6">
        {outcome.message}
      </p>
      <Button asChild size="lg" variant="secondary" className="w-full">
        <Link to="/account">Go to your account</Link>
      </Button>
    </AccountCard>
  );
}
