import { useState } from 'react';
import { useRefusal } from '#web/app/api/use-refusal.tsx';
import { openAuth } from '#web/app/auth/session.ts';
import { Button } from '#web/ui/button.tsx';
import { toastSuccess } from '#web/ui/overlay/toaster.tsx';

export function ResendVerification({ email, next = '/' }: { email: string; next?: string | undefined }) {
  const [isSending, setIsSending] = useState(false);
  const { showRefusal, clearRefusal, waitNotice } = useRefusal();
  async function send() {
    setIsSending(true);
    const { error } = await (await openAuth()).resend({
      type: 'signup',
      email,
      options: { emailRedirectTo: location.origin + next },
    });
    setIsSending(false);
    if (error) return showRefusal(error);
    clearRefusal();
    toastSuccess('Email sent', `If ${email} still needs verifying, a new link is on its way.`);
  }
  return (
    <>
      {waitNotice}
      <Button variant="secondary" isLoading={isSending} loadingText="Sending..." onClick={send}>
        Send the verification email again
      </Button>
    </>
  );
}
