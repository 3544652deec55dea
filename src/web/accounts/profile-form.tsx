import { useForm } from 'react-hook-form';
import { describeFailure } from '#web/app/auth/auth-failure.ts';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { openAuth } from '#web/app/auth/session.ts';
import { Button } from '#web/ui/button.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.tsx';

/** The person's name, as coaches and customers see it. */
export function ProfileForm() {
  const { profile, refreshProfile } = useAuth();
  const { register, handleSubmit, setError, reset, formState } = useForm<{ fullName: string }>({
    values: { fullName: profile?.fullName ?? '' },
  });
  const { errors, isSubmitting, isDirty } = formState;

  async function submit({ fullName: typed }: { fullName: string }) {
    const fullName = typed.trim();
    const { error } = await (await openAuth()).updateUser({ data: { full_name: fullName } });
    if (error) {
      const { message } = describeFailure(error);
      toastError(message);
      return setError('fullName', { message }, { shouldFocus: true });
    }
    await refreshProfile();
    reset({ fullName });
    toastSuccess('Name saved', `Your name is ${fullName} now.`);
  }

  return (
    <form noValidate onSubmit={handleSubmit(submit)} className="flex flex-col gap-4">
      <FormField label="Full name" error={errors.fullName?.message}>
        <Input
          autoComplete="name"
          {...register('fullName', {
            validate: (name) => name.trim() !== '' || 'Please enter your name.',
            maxLength: { value: 200, message: 'Please use at most 200 characters.' },
          })}
        />
      </FormField>
      <Button
        type="submit"
        className="self-start max-sm:w-full"
        disabled={!isDirty}
        isLoading={isSubmitting}
        loadingText="Saving..."
      >
        Save name
      </Button>
    </form>
  );
}
