import type { AuthError } from '@supabase/auth-js';
import { type ReactNode, useState } from 'react';
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';
import { AppError } from '#domain/errors.ts';
import { type Wait, WaitNotice } from '#web/ui/form/wait-notice.tsx';
import { toastError } from '#web/ui/overlay/toaster.tsx';
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

/** `retryAt`: when the next attempt is allowed, in ms since 1970; null if no rate limit was exceeded. */
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
 * Shows why a form's submission, or the action of a button without a form, was refused: a message at each field
 * concerned (the first gets the focus) and an error toast. After too many attempts, `waitNotice` counts down the time
 * left instead. Render `waitNotice` above the form's button, and call `clearRefusal` after a success if the form stays
 * open. Typed input is kept. `field`: the field at which to show the message, instead of those that the refusal names.
 */
export function useRefusal<Values extends FieldValues>(
  form?: Pick<UseFormReturn<Values>, 'setError' | 'getValues'>,
): {
  showRefusal: (error: AppError | AuthError, field?: Path<Values>) => void;
  clearRefusal: () => void;
  waitNotice: ReactNode;
} {
  const [wait, setWait] = useState<Wait | null>(null);
  return {
    showRefusal(error, field) {
      const { message, fields, retryAt } = describeRefusal(error);
      setWait(retryAt === null ? null : { message, retryAt });
      if (retryAt !== null) return;
      toastError(message);
      if (!form) return;
      // A message for a field that the form lacks would be invisible and block the next attempt.
      const own = form.getValues();
      const messages = field ? { [field]: message } : fields;
      Object.entries(messages)
        .filter(([name]) => name.split('.')[0]! in own)
        .forEach(([name, text], index) => {
          form.setError(
            name as Path<Values>,
            { type: 'server', message: text },
            { shouldFocus: index === 0 },
          );
        });
    },
    clearRefusal: () => setWait(null),
    waitNotice: <WaitNotice wait={wait} />,
  };
}
