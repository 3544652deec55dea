import type { AuthError } from '@supabase/auth-js';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import EmailCheck from 'lucide-react/icons/mail-check';
import { useEffect, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { authApi } from '#domain/auth/contract.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { useProduct } from '#web/app/api/product.ts';
import { useRefusal } from '#web/app/api/use-refusal.tsx';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { callAuth } from '#web/app/auth/session.ts';
import { Button } from '#web/ui/button.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.ts';
import { runConfirmed } from './confirm-identity.tsx';

/** Shows and changes the email address; shows a pending change until both addresses are confirmed. */
export function ChangeEmail() {
  const { user, refreshProfile } = useAuth();
  const client = useQueryClient();
  const queryKey = ['account_user', user?.id];
  const [isChanging, setIsChanging] = useState(false);
  // The links may be opened in another browser, so the account is refetched and compared with this browser's
  // copy.
  const { data: account } = useQuery({
    queryKey,
    queryFn: async () => {
      const { data, error } = await callAuth((auth) => auth.getUser());
      if (error) throw error;
      return data.user;
    },
    refetchInterval: ({ state }) => (state.data?.new_email || state.error ? 5_000 : false),
  });
  const email = account?.email ?? user?.email ?? '';
  const isMoved = Boolean(account?.email && user?.email && account.email !== user.email);
  useEffect(() => {
    if (!isMoved) return;
    void callAuth((auth) => auth.refreshSession()).then(() => refreshProfile());
  }, [isMoved, refreshProfile]);

  async function ask(newEmail: string): ReturnType<Ask> {
    const refused = await runConfirmed(
      async () => (await callAuth((auth) => auth.updateUser({ email: newEmail }))).error,
    );
    if (refused) return refused;
    setIsChanging(false);
    await client.invalidateQueries({ queryKey });
    return null;
  }

  return (
    <div className="flex flex-col gap-4">
      <p>
        <span className="block text-sm text-muted-foreground">You sign in with</span>
        <strong className="font-medium wrap-anywhere">{email}</strong>
      </p>
      {account?.new_email ? (
        <PendingChange
          email={email}
          newEmail={account.new_email}
          onAgain={ask}
          onGivenUp={() => client.invalidateQueries({ queryKey })}
        />
      ) : isChanging ? (
        <NewAddressForm email={email} onAsk={ask} onCancel={() => setIsChanging(false)} />
      ) : (
        <Button variant="secondary" className="self-start max-sm:w-full" onClick={() => setIsChanging(true)}>
          Change email address
        </Button>
      )}
    </div>
  );
}

/**
 * Requests the change. Resolves to null once the server has emailed both links, to 'given up' if the person closed the
 * dialog that asks for a proof of identity, and otherwise to the refusal.
 */
type Ask = (newEmail: string) => Promise<AuthError | 'given up' | null>;

function NewAddressForm({ email, onAsk, onCancel }: { email: string; onAsk: Ask; onCancel: () => void }) {
  const form = useForm<{ newEmail: string }>();
  const { register, handleSubmit, formState } = form;
  const { errors, isSubmitting } = formState;
  const { showRefusal, notice } = useRefusal(form);

  async function submit(values: { newEmail: string }) {
    const refused = await onAsk(values.newEmail.trim());
    if (refused && refused !== 'given up') showRefusal(refused, 'newEmail');
  }

  return (
    <form noValidate onSubmit={handleSubmit(submit)} className="flex flex-col gap-4">
      <FormField
        label="New email address"
        hint="We'll email a link to this address and to your current one. Open both links."
        error={errors.newEmail?.message}
      >
        <Input
          type="email"
          autoComplete="email"
          {...register('newEmail', {
            required: 'Enter your new email address.',
            pattern: {
              value: /^\s*[^\s@]+@[^\s@]+\.[^\s@]+\s*$/,
              message: 'Enter a complete email address, such as name@example.com.',
            },
            validate: (typed) =>
              typed.trim().toLowerCase() !== email || 'This is already your email address.',
          })}
        />
      </FormField>
      {notice}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" isLoading={isSubmitting} loadingText="Sending...">
          Send links
        </Button>
        <Button variant="secondary" onClick={onCancel} disabled={isSubmitting}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

function PendingChange({
  email,
  newEmail,
  onAgain,
  onGivenUp,
}: {
  email: string;
  newEmail: string;
  onAgain: Ask;
  onGivenUp: () => void;
}) {
  const { isDemo } = useProduct();
  const message = useRef<HTMLParagraphElement>(null);
  // The form that had the focus is gone, so the message gets the focus.
  useEffect(() => {
    if (document.activeElement === document.body) message.current?.focus({ preventScroll: true });
  }, []);
  const [isSending, setIsSending] = useState(false);
  const { showRefusal, clearRefusal, notice } = useRefusal();
  const giveUp = useApiMutation(authApi.cancelEmailChange);

  async function sendAgain() {
    setIsSending(true);
    const refused = await onAgain(newEmail);
    setIsSending(false);
    if (refused === 'given up') return;
    if (refused) return showRefusal(refused);
    clearRefusal();
    toastSuccess('Emails sent', 'Links in earlier emails no longer work.');
  }

  return (
    <div className="flex flex-col gap-4 rounded-lg border bg-card p-4 md:p-5">
      <p ref={message} tabIndex={-1} className="flex gap-3 outline-none" role="status">
        <EmailCheck aria-hidden className="mt-0.5 size-5 shrink-0 text-success-mark" />
        <span className="min-w-0">
          Your address will change to <strong className="font-semibold wrap-anywhere">{newEmail}</strong> once
          you've confirmed the change with the links in two emails: one sent to the new address and one to{' '}
          <strong className="font-semibold wrap-anywhere">{email}</strong>. The links expire after 24 hours.
        </span>
      </p>
      {notice}
      <div className="flex flex-wrap gap-3">
        <Button
          variant="secondary"
          onClick={() => void sendAgain()}
          isLoading={isSending}
          loadingText="Sending..."
        >
          Send again
        </Button>
        {isDemo && (
          <Button asChild variant="secondary">
            <a href="/demo/outbox" target="_blank" rel="noreferrer">
              Open the demo mailbox
            </a>
          </Button>
        )}
        <Button
          variant="ghost"
          isLoading={giveUp.isPending}
          onClick={() =>
            giveUp.mutate({}, { onSuccess: onGivenUp, onError: (error) => toastError(error.message) })
          }
        >
          Keep my current address
        </Button>
      </div>
    </div>
  );
}
