import type { RegisterOptions, UseFormRegisterReturn } from 'react-hook-form';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Input } from '#web/ui/form/input.tsx';

/** Removes spaces from a typed code, because apps show codes with spaces. */
export const readCode = (typed: string) => typed.replace(/\s/g, '');

type CodeFieldProps = {
  error: string | undefined;
  register: (name: 'code', rules: RegisterOptions<{ code: string }, 'code'>) => UseFormRegisterReturn;
};

export function RecoveryCodeField({ error, register }: CodeFieldProps) {
  return (
    <FormField
      label="Recovery code"
      hint={<>24 letters and digits, such as 4k7m-x2pq-9wtc-r8ed-0vh3-n6js.</>}
      error={error}
    >
      <Input
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        className="font-mono"
        {...register('code', {
          validate: (typed) =>
            /^[0-9a-z]{24}$/i.test(readCode(typed).replaceAll('-', '')) ||
            'Enter a complete recovery code, such as 4k7m-x2pq-9wtc-r8ed-0vh3-n6js.',
        })}
      />
    </FormField>
  );
}

export function CodeField({ error, register }: CodeFieldProps) {
  return (
    <FormField label="Code" hint="Six digits." error={error}>
      <Input
        inputMode="numeric"
        autoComplete="one-time-code"
        {...register('code', {
          validate: (typed) => /^\d{6}$/.test(readCode(typed)) || 'Enter the six-digit code.',
        })}
      />
    </FormField>
  );
}
