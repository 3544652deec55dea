import { useForm } from 'react-hook-form';
import { useRefusal } from '#web/app/api/use-refusal.tsx';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { callAuth } from '#web/app/auth/session.ts';
import { Button } from '#web/ui/button.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { toastSuccess } from '#web/ui/overlay/toaster.ts';

/** Changes the signed-in person's name. */
export function ProfileForm() {
  const { profile, refreshProfile } = useAuth();
  const form = useForm<{ fullName: string }>({ values: { fullName: profile?.fullName ?? '' } });
  const { register, handleSubmit, reset, formState } = form;
  const { showRefusal, clearRefusal, notice } = useRefusal(form);
  const { errors, isSubmitting, isDirty } = formState;

  async function submit({ fullName: typed }: { fullName: string }) {
    const fullName = typed.trim();
    const { error } = await callAuth((auth) => auth.updateUser({ data: { full_name: fullName } }));
    if (error) return showRefusal(error, 'fullName');
    clearRefusal();
    await refreshProfile();
    reset({ fullName });
    toastSuccess('Name saved', `Your name is now ${fullName}.`);
  }

  return (
    <form noValidate onSubmit={handleSubmit(submit)} className="flex flex-col gap-4">
      <FormField label="Full name" error={errors.fullName?.message}>
        <Input
          autoComplete="name"
          {...register('fullName', {
            validate: (name) => name.trim() !== '' || 'Enter your name.',
            maxLength: { value: 200, message: "Your name can't be longer than 200 characters." },
          })}
        />
      </FormField>
      {notice}
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
