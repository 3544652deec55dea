import { useState } from 'react';
import { useRefusal } from '#web/app/api/use-refusal.tsx';
import { callAuth } from '#web/app/auth/session.ts';
import { Button } from '#web/ui/button.tsx';
import { toastSuccess } from '#web/ui/overlay/toaster.ts';

export function ResendVerification({ email, next = '/' }: { email: string; next?: string | undefined }) {
  const [isSending, setIsSending] = useState(false);
  const { showRefusal, clearRefusal, notice } = useRefusal();
  async function send() {
    setIsSending(true);
    const options = { emailRedirectTo: location.origin + next };
    const { error } = await callAuth((auth) => auth.resend({ type: 'signup', email, options }));
    setIsSending(false);
    if (error) return showRefusal(error);
    clearRefusal();
    toastSuccess('Email sent', `If ${email} still needs verifying, a new link is on its way.`);
  }
  return (
    <>
      {notice}
      <Button variant="secondary" isLoading={isSending} loadingText="Sending..." onClick={send}>
        Send the verification email again
      </Button>
    </>
  );
}
