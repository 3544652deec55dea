import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useRefusal } from '#web/app/api/use-refusal.tsx';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { callAuth, readClaims } from '#web/app/auth/session.ts';
import { Button } from '#web/ui/button.tsx';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.ts';
import { PageSpinner } from '#web/ui/page/spinner.tsx';
import { AccountCard } from '../sign-in/account-card.tsx';
import { readNext } from '../sign-in/next-page.ts';
import { Redirect } from '../sign-in/redirect.tsx';
import { NewPasswordLink } from './new-password-link.tsx';
import { NewVerificationLink } from './new-verification-link.tsx';

const texts = {
  signup: {
    title: 'Verify your email address',
    subtitle: 'Press the button to finish setting up your account.',
    action: 'Verify and sign in',
    running: 'Verifying...',
  },
  recovery: {
    title: 'Reset your password',
    subtitle: 'Continue to choose a new password.',
    action: 'Continue',
    running: 'Checking...',
  },
};

/**
 * The page opened by the links in sign-up and recovery emails. Opening it changes nothing, because email
 * scanners open links too; only its button uses the link. The page shows no text from the URL.
 */
export default function VerifyScreen() {
  const { user, isCodeAwaited, loading } = useAuth();
  const { link: type, token_hash: token, next } = useSearch({ from: '/verify' });
  const [isSending, setIsSending] = useState(false);
  const { showRefusal, notice } = useRefusal();
  const [outcome, setOutcome] = useState<'expired' | 'verified before' | { userId: string; page: string }>();

  if (loading) return <PageSpinner />;
  if (!type || !token) return <IncompleteLink />;
  const { title, subtitle, action, running } = texts[type];

  async function verify(kind: keyof typeof texts, tokenHash: string) {
    setIsSending(true);
    const { data, error } = await callAuth((auth) => auth.verifyOtp({ type: kind, token_hash: tokenHash }));
    setIsSending(false);
    if (error?.code === 'otp_expired') return setOutcome('expired');
    if (error?.code === 'user_already_exists') return setOutcome('verified before');
    if (error) return showRefusal(error);
    if (!data.session || !data.user) return toastError('Something went wrong. Please try again.');
    if (kind === 'recovery') return setOutcome({ userId: data.user.id, page: next ?? '/reset-password' });
    // If several people have signed up with this address, its owner chooses a password first.
    const isPasswordOpen = readClaims(data.session.access_token).amr?.[0]?.method === 'recovery';
    toastSuccess('Email verified', isPasswordOpen ? 'Now choose a password.' : 'Your account is ready.');
    const page = next ?? '/';
    setOutcome({
      userId: data.user.id,
      page: isPasswordOpen ? `/reset-password?next=${encodeURIComponent(page)}` : page,
    });
  }

  if (outcome === 'verified before') return <VerifiedBefore next={next} />;
  if (outcome === 'expired' && type === 'signup') return <NewVerificationLink next={next} />;
  if (outcome === 'expired') {
    return <NewPasswordLink next={readNext(new URLSearchParams(next?.split('?')[1]).get('next'))} isNew />;
  }
  if (outcome && (isCodeAwaited || user?.id === outcome.userId)) return <Redirect next={outcome.page} />;
  return (
    <AccountCard title={title} subtitle={subtitle}>
      {user && !outcome && (
        <p className="mb-5 text-sm">
          You're signed in here as <strong className="font-semibold wrap-anywhere">{user.email}</strong>. If
          this email was sent to another address, continuing signs you in to that account instead.
        </p>
      )}
      <div className="mb-5 empty:hidden">{notice}</div>
      <Button
        size="lg"
        className="w-full"
        isLoading={isSending || outcome !== undefined}
        loadingText={running}
        onClick={() => void verify(type, token)}
      >
        {action}
      </Button>
      {user && !outcome && (
        <Button asChild size="lg" variant="ghost" className="mt-3 w-full">
          <Link to="/">Stay signed in</Link>
        </Button>
      )}
    </AccountCard>
  );
}

function VerifiedBefore({ next }: { next: string | undefined }) {
  const { user } = useAuth();
  return (
    <AccountCard title="Already verified" subtitle="You've already verified your email address.">
      <Button asChild size="lg" className="w-full">
        {user ? (
          <Link to={next ?? '/'}>Continue</Link>
        ) : (
          <Link to="/login" search={{ next }}>
            Sign in
          </Link>
        )}
      </Button>
    </AccountCard>
  );
}

function IncompleteLink() {
  return (
    <AccountCard title="This link is incomplete" subtitle="Part of the link is missing.">
      <p className="mb-6" role="alert">
        Open the link from the email again. If that doesn't help, copy the whole link into your browser.
      </p>
      <Button asChild size="lg" variant="secondary" className="w-full">
        <Link to="/login">Go to the sign-in page</Link>
      </Button>
    </AccountCard>
  );
}
