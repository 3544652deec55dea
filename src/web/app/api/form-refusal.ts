import type { FieldValues, Path, UseFormSetError } from 'react-hook-form';
import type { AppError } from '#domain/errors.ts';
import { toastError } from '#web/ui/overlay/toaster.tsx';

/**
 * Shows a refused save: each of the server's messages at its field, the first one focused, and the whole as an error
 * toast. Typed input stays.
 */
export function showFormRefusal<Values extends FieldValues>(
  error: AppError,
  setError: UseFormSetError<Values>,
): void {
  Object.entries(error.fields ?? {}).forEach(([name, message], index) => {
    setError(name as Path<Values>, { type: 'server', message }, { shouldFocus: index === 0 });
  });
  toastError(error.message);
}
