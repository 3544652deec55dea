import type { AuthError } from '@supabase/auth-js';
import { type ReactNode, useState } from 'react';
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';
import type { AppError } from '#domain/errors.ts';
import { type Wait, WaitNotice } from '#web/ui/form/wait-notice.tsx';
import { toastError } from '#web/ui/overlay/toaster.tsx';
import { describeRefusal } from '../auth/auth-failure.ts';

/**
 * Shows why a form, or a button without one, was refused: each message at its field, the first one focused, and the
 * whole as an error toast. After too many attempts `waitNotice` counts the time left instead; render it above the
 * form's button, and call `clearRefusal` after a success if the form stays. Typed input stays. `field`: where the
 * message goes, whichever field the refusal names.
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
      // A message at a field that the form lacks would be seen by nobody and block the next attempt.
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
