import { zodResolver } from '@hookform/resolvers/zod';
import { Controller, useForm } from 'react-hook-form';
import { z } from 'zod';
import { businessesApi, type CoachProfile } from '#domain/businesses/contract.ts';
import { coachProfileInput } from '#domain/businesses/rules.ts';
import { formatPounds, parsePounds } from '#domain/money.ts';
import { type Sport, sportSlugs, sports } from '#domain/sports.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { useRefusal } from '#web/app/api/use-refusal.tsx';
import { Button } from '#web/ui/button.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { Textarea } from '#web/ui/form/textarea.tsx';
import { ToggleGroup } from '#web/ui/form/toggle-group.tsx';
import { toastSuccess } from '#web/ui/overlay/toaster.ts';

const readList = (typed: string) => typed.split(',').map((entry) => entry.trim());

/** The profile as typed: lists separated by commas, the rate in pounds. */
const typedProfile = z.object({
  coachType: z.string().pipe(coachProfileInput.shape.coachType.unwrap()),
  bio: z.string().pipe(coachProfileInput.shape.bio.unwrap()),
  sports: z.array(z.enum(sportSlugs)),
  towns: z.string().transform(readList).pipe(coachProfileInput.shape.towns.unwrap()),
  languages: z.string().transform(readList).pipe(coachProfileInput.shape.languages.unwrap()),
  hourlyRateCents: z
    .string()
    .transform((typed) => (typed.trim() === '' ? null : (parsePounds(typed) ?? Number.NaN)))
    .pipe(coachProfileInput.shape.hourlyRateCents.unwrap()),
});

const typedOf = (profile: CoachProfile): z.input<typeof typedProfile> => ({
  coachType: profile.coachType ?? '',
  bio: profile.bio ?? '',
  sports: profile.sports,
  towns: profile.towns.join(', '),
  languages: profile.languages.join(', '),
  hourlyRateCents:
    profile.hourlyRateCents === null ? '' : formatPounds(profile.hourlyRateCents).replace('£', ''),
});

const sportOptions = sportSlugs.map((value) => ({ value, label: sports[value] }));

export function CoachProfileForm({ coachProfile }: { coachProfile: CoachProfile }) {
  const save = useApiMutation(businessesApi.saveCoachProfile, {
    invalidates: [businessesApi.getCoachProfile],
  });
  const form = useForm<z.input<typeof typedProfile>, unknown, z.output<typeof typedProfile>>({
    resolver: zodResolver(typedProfile),
    defaultValues: typedOf(coachProfile),
  });
  const {
    control,
    register,
    handleSubmit,
    reset,
    formState: { errors },
  } = form;
  const { showRefusal, clearRefusal, notice } = useRefusal(form);

  function submit({ coachType, bio, ...input }: z.output<typeof typedProfile>) {
    save.mutate(
      { ...input, coachType: coachType ?? '', bio: bio ?? '' },
      {
        onSuccess: (answer) => {
          toastSuccess('Profile saved');
          clearRefusal();
          reset(typedOf(answer.coachProfile));
        },
        onError: (error) => showRefusal(error),
      },
    );
  }

  return (
    <form noValidate onSubmit={handleSubmit(submit)} className="max-w-2xl">
      <div className="grid gap-x-4 gap-y-5 sm:grid-cols-2">
        <FormField
          label="Job title"
          isOptional
          error={errors.coachType?.message}
          hint="For example, tennis coach"
        >
          <Input autoComplete="organization-title" {...register('coachType')} />
        </FormField>
        <FormField
          label="Hourly rate"
          isOptional
          error={errors.hourlyRateCents?.message}
          hint="In pounds. This doesn't change your lesson prices."
        >
          <Input inputMode="decimal" autoComplete="off" leading="£" {...register('hourlyRateCents')} />
        </FormField>
        <FormField label="Sports" isOptional isGroup error={errors.sports?.message} className="sm:col-span-2">
          <Controller
            control={control}
            name="sports"
            render={({ field }) => (
              <ToggleGroup<Sport> value={field.value} onValueChange={field.onChange} options={sportOptions} />
            )}
          />
        </FormField>
        <FormField
          label="Towns"
          isOptional
          error={errors.towns?.message}
          hint="Towns where you coach, separated by commas. For example: Leeds, York"
        >
          <Input autoComplete="off" {...register('towns')} />
        </FormField>
        <FormField
          label="Languages"
          isOptional
          error={errors.languages?.message}
          hint="Languages you speak, separated by commas. For example: English, Polish"
        >
          <Input autoComplete="off" {...register('languages')} />
        </FormField>
        <FormField
          label="About you"
          isOptional
          error={errors.bio?.message}
          hint="How you coach, who you coach and what you bring."
          className="sm:col-span-2"
        >
          <Textarea rows={5} {...register('bio')} />
        </FormField>
      </div>
      {notice}
      <Button type="submit" className="mt-6 max-sm:w-full" isLoading={save.isPending} loadingText="Saving...">
        Save profile
      </Button>
    </form>
  );
}
