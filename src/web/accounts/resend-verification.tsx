import { useState } from 'react';
import { describeFailure } from '#web/app/auth-failure.ts';
import { openAuth } from '#web/app/session.ts';
import { Button } from '#web/ui/button.tsx';
import { toastError, toastSuccess } from '#web/ui/toaster.tsx';

/** Sends the verification mail once more. */
export function ResendVerification({ email, next = '/' }: { email: string; next?: string | undefined }) {
  const [isSending, setIsSending] = useState(false);
  async function send() {
    setIsSending(true);
    const { error } = await (await openAuth()).resend({
      type: 'signup',
      email,
      options: { emailRedirectTo: location.origin + next },
    });
    setIsSending(false);
    if (error) toastError(describeFailure(error).message);
    else toastSuccess('Email sent', `If ${email} still needs verifying, a new link is on its way.`);
  }
  return (
    <Button variant="secondary" isLoading={isSending} loadingText="Sending..." onClick={send}>
      Send the verification email again
    </Button>
  );
}
