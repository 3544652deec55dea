import { useState } from 'react';
import { type AuthFailure, describeFailure } from '#web/app/auth/auth-failure.ts';
import { openAuth } from '#web/app/auth/session.ts';
import { Button } from '#web/ui/button.tsx';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.tsx';
import { WaitNotice } from '../sign-in/wait-notice.tsx';

/** Sends the verification email once more. */
export function ResendVerification({ email, next = '/' }: { email: string; next?: string | undefined }) {
  const [isSending, setIsSending] = useState(false);
  const [failure, setFailure] = useState<AuthFailure | null>(null);
  async function send() {
    setIsSending(true);
    const { error } = await (await openAuth()).resend({
      type: 'signup',
      email,
      options: { emailRedirectTo: location.origin + next },
    });
    setIsSending(false);
    const refused = error && describeFailure(error);
    setFailure(refused);
    if (!refused) toastSuccess('Email sent', `If ${email} still needs verifying, a new link is on its way.`);
    else if (!refused.retryAt) toastError(refused.message);
  }
  return (
    <>
      <WaitNotice failure={failure} />
      <Button variant="secondary" isLoading={isSending} loadingText="Sending..." onClick={send}>
        Send the verification email again
      </Button>
    </>
  );
}
