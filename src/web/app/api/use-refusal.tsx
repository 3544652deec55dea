import type { AuthError } from '@supabase/auth-js';
import { type ReactNode, useState } from 'react';
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';
import { AppError } from '#domain/errors.ts';
import { type Wait, WaitNotice } from '#web/ui/form/wait-notice.tsx';
import { toastError } from '#web/ui/overlay/toaster.ts';
import { messageOf, readRetryAt } from '../auth/auth-failure.ts';

type Refusal = { message: string; fields: Record<string, string>; retryAt: number | null };

/** The form field to which each error code of the account client applies. */
const fieldByCode: Record<string, string> = {
  invalid_credentials: 'password',
  email_not_confirmed: 'email',
  weak_password: 'password',
  same_password: 'password',
};

/** The field that a validation error of the account server names in its message; null if the message names no field. */
function fieldNamedIn({ code, message }: AuthError): string | null {
  if (code !== 'validation_failed') return null;
  if (/email/i.test(message)) return 'email';
  if (/password/i.test(message)) return 'password';
  return /\bname\b/i.test(message) ? 'fullName' : null;
}

/**
 * `retryAt`: when a rate limit allows the next attempt, in ms since 1970; null if there is no limit or the
 * time is unknown.
 */
function describeRefusal(error: AppError | AuthError): Refusal {
  if (error instanceof AppError) {
    const seconds = Number(error.details?.retryAfterSeconds);
    const isTooMany = error.code === 'too_many_requests' && seconds > 0;
    const { message, fields = {} } = error;
    return { message, fields, retryAt: isTooMany ? Date.now() + seconds * 1000 : null };
  }
  const message = messageOf(error);
  const field = fieldByCode[error.code ?? ''] ?? fieldNamedIn(error);
  const retryAt = error.status === 429 ? readRetryAt() : null;
  return { message, fields: field ? { [field]: message } : {}, retryAt };
}

/**
 * Shows why a form, or the action of a button without a form, was refused. Shows an error toast, and a message at each
 * field concerned (the first is focused) or, if no field is concerned, in `notice` until the next attempt. After too
 * many attempts, `notice` counts down the time left instead. Render `notice` above the form's button, and call
 * `clearRefusal` on success if the form stays open. Typed input is kept. `field`: the field at which to show the
 * message, instead of the fields that the refusal names.
 */
export function useRefusal<Values extends FieldValues>(
  form?: Pick<UseFormReturn<Values>, 'setError' | 'getValues' | 'formState'>,
): {
  showRefusal: (error: AppError | AuthError, field?: Path<Values>) => void;
  clearRefusal: () => void;
  notice: ReactNode;
} {
  const [wait, setWait] = useState<Wait | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  // The form discards this message at the next submission.
  const message = form ? form.formState.errors.root?.server?.message : refused;
  return {
    showRefusal(error, field) {
      const { message: reason, fields, retryAt } = describeRefusal(error);
      setWait(retryAt === null ? null : { message: reason, retryAt });
      setRefused(form || retryAt !== null ? null : reason);
      if (retryAt !== null) return;
      toastError(reason);
      if (!form) return;
      // A message for a field that the form lacks would be invisible and block the next attempt.
      const own = form.getValues();
      const messages = Object.entries(field ? { [field]: reason } : fields).filter(
        ([name]) => name.split('.')[0]! in own,
      );
      if (messages.length === 0) form.setError('root.server', { type: 'server', message: reason });
      for (const [index, [name, text]] of messages.entries()) {
        form.setError(name as Path<Values>, { type: 'server', message: text }, { shouldFocus: index === 0 });
      }
    },
    clearRefusal() {
      setWait(null);
      setRefused(null);
    },
    notice: (
      <>
        {message && (
          <p role="alert" className="rounded-md bg-destructive-soft px-3 py-2 text-sm text-destructive">
            {message}
          </p>
        )}
        <WaitNotice wait={wait} />
      </>
    ),
  };
}
