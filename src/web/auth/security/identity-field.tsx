import { type ReactNode, useState } from 'react';
import type { UseFormRegisterReturn } from 'react-hook-form';
import type { IdentityProof } from '#domain/auth/contract.ts';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { Button } from '#web/ui/button.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { readCode } from '../sign-in/code-field.tsx';
import { PasswordInput } from '../sign-in/password-input.tsx';

export type ProofKind = IdentityProof['proofKind'];

/** Validates the `proof` field before the form is sent. */
export const proofRules = {
  password: { required: 'Enter your current password.' },
  code: {
    validate: (typed: string) => /^\d{6}$/.test(readCode(typed)) || 'Enter the six-digit code.',
  },
};

/** The kind of proof that a form asks for. People with an authenticator app can switch, which calls `onChange`. */
export function useProofKind(onChange: () => void): {
  kind: ProofKind;
  choice: ReactNode;
  readProof: (typed: string) => IdentityProof;
} {
  const { user } = useAuth();
  const [kind, setKind] = useState<ProofKind>('password');
  const hasApp = user?.factors?.some(({ status }) => status === 'verified') ?? false;
  return {
    kind,
    choice: hasApp && (
      <Button
        variant="link"
        className="-mt-2 self-start touch:text-sm"
        onClick={() => {
          setKind(kind === 'code' ? 'password' : 'code');
          onChange();
        }}
      >
        {kind === 'code' ? 'Use your password instead' : "Use your authenticator app's code instead"}
      </Button>
    ),
    readProof: (typed) => ({ proofKind: kind, proof: kind === 'code' ? readCode(typed) : typed }),
  };
}

/** Asks for the current password, or for an authenticator app's code. */
export function IdentityField({
  kind,
  error,
  registration,
}: {
  kind: ProofKind;
  error: string | undefined;
  registration: UseFormRegisterReturn;
}) {
  return kind === 'password' ? (
    <FormField label="Current password" error={error}>
      <PasswordInput autoComplete="current-password" {...registration} />
    </FormField>
  ) : (
    <FormField label="Code" hint="Six digits from your authenticator app." error={error}>
      <Input inputMode="numeric" autoComplete="one-time-code" {...registration} />
    </FormField>
  );
}
