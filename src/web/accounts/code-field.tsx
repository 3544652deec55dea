import type { UseFormRegister } from 'react-hook-form';
import { FormField } from '#web/ui/form-field.tsx';
import { Input } from '#web/ui/input.tsx';

/** What was typed without the gaps that apps show in a code. */
export const readCode = (typed: string) => typed.replace(/\s/g, '');

/** The six digits an authenticator app shows. */
export function CodeField({
  error,
  register,
}: {
  error: string | undefined;
  register: UseFormRegister<{ code: string }>;
}) {
  return (
    <FormField label="Code" hint="Six digits." error={error}>
      <Input
        inputMode="numeric"
        autoComplete="one-time-code"
        {...register('code', {
          validate: (typed) => /^\d{6}$/.test(readCode(typed)) || 'Please enter the six digits of the code.',
        })}
      />
    </FormField>
  );
}
