import { useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { authApi } from '#domain/auth/contract.ts';
import { invalidate } from '#web/app/api/api.ts';
import { useRefusal } from '#web/app/api/use-refusal.tsx';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { callAuth } from '#web/app/auth/session.ts';
import { Button } from '#web/ui/button.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { toastSuccess } from '#web/ui/overlay/toaster.ts';
import { PasswordInput } from '../sign-in/password-input.tsx';
import { IdentityField, proofRules, useProofKind } from './identity-field.tsx';

type Passwords = { proof: string; password: string };

const proofCodes = ['current_password_invalid', 'current_password_required', 'reauthentication_not_valid'];

/** Changes the password. Requires the current password or an authenticator code, in case the browser was left open. */
export function ChangePasswordForm() {
  const { user } = useAuth();
  const client = useQueryClient();
  const form = useForm<Passwords>();
  const { register, handleSubmit, reset, resetField, formState } = form;
  const { errors, isSubmitting } = formState;
  const { showRefusal, clearRefusal, notice } = useRefusal(form);
  const { kind, choice, readProof } = useProofKind(() => resetField('proof'));

  async function submit({ proof: typed, password }: Passwords) {
    const { proofKind, proof } = readProof(typed);
    const change = { password, ...(proofKind === 'code' ? { nonce: proof } : { current_password: proof }) };
    const { error } = await callAuth((auth) => auth.updateUser(change));
    if (error) return showRefusal(error, proofCodes.includes(error.code ?? '') ? 'proof' : undefined);
    clearRefusal();
    reset();
    toastSuccess('Password changed', "You've been signed out of all other browsers.");
    await invalidate(client, [authApi.listSessions]);
  }

  return (
    <form noValidate onSubmit={handleSubmit(submit)} className="flex flex-col gap-4">
      {/* Password managers save the new password under this username. */}
      <input type="hidden" autoComplete="username" value={user?.email ?? ''} readOnly />
      <IdentityField
        kind={kind}
        error={errors.proof?.message}
        registration={register('proof', proofRules[kind])}
      />
      {choice}
      <FormField
        label="New password"
        hint="At least 8 characters. A few unrelated words work best."
        error={errors.password?.message}
      >
        <PasswordInput
          autoComplete="new-password"
          {...register('password', {
            required: 'Choose a new password.',
            minLength: { value: 8, message: 'Choose a password of at least 8 characters.' },
          })}
        />
      </FormField>
      {notice}
      <Button
        type="submit"
        className="self-start max-sm:w-full"
        isLoading={isSubmitting}
        loadingText="Saving..."
      >
        Change password
      </Button>
    </form>
  );
}
