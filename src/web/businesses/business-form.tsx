import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import type { z } from 'zod';
import { type Business, businessesApi } from '#domain/businesses/contract.ts';
import { type BusinessInput, businessInput } from '#domain/businesses/rules.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { useRefusal } from '#web/app/api/use-refusal.tsx';
import { Button } from '#web/ui/button.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { Textarea } from '#web/ui/form/textarea.tsx';
import { toastSuccess } from '#web/ui/overlay/toaster.ts';

const valuesOf = (business: Business | null) => ({
  businessName: business?.businessName ?? '',
  businessEmail: business?.businessEmail ?? '',
  businessPhone: business?.businessPhone ?? '',
  businessAddress: business?.businessAddress ?? '',
  taxId: business?.taxId ?? '',
});

/** Sets up or changes a business; `business` is null if there is none yet. */
export function BusinessForm({ business }: { business: Business | null }) {
  const save = useApiMutation(businessesApi.saveBusiness, {
    invalidates: [businessesApi.getBusiness, businessesApi.listTeam],
  });
  const form = useForm<BusinessInput, unknown, z.output<typeof businessInput>>({
    resolver: zodResolver(businessInput),
    defaultValues: valuesOf(business),
  });
  const {
    register,
    handleSubmit,
    reset,
    watch,
    formState: { errors },
  } = form;
  const { showRefusal, clearRefusal, notice } = useRefusal(form);
  const isNamed = Boolean(watch('businessName').trim());

  function submit(input: z.output<typeof businessInput>) {
    // The server stores an empty text as no value.
    const written = Object.fromEntries(Object.entries(input).map(([name, text]) => [name, text ?? '']));
    save.mutate(written as BusinessInput, {
      onSuccess: (answer) => {
        toastSuccess('Business saved', answer.business.businessName);
        clearRefusal();
        reset(valuesOf(answer.business));
      },
      onError: (error) => showRefusal(error),
    });
  }

  return (
    <form noValidate onSubmit={handleSubmit(submit)} className="max-w-2xl">
      <div className="grid gap-x-4 gap-y-5 sm:grid-cols-2">
        <FormField label="Business name" error={errors.businessName?.message} className="sm:col-span-2">
          <Input autoComplete="organization" required {...register('businessName')} />
        </FormField>
        <FormField label="Email" isOptional error={errors.businessEmail?.message}>
          <Input type="email" autoComplete="email" {...register('businessEmail')} />
        </FormField>
        <FormField label="Phone" isOptional error={errors.businessPhone?.message}>
          <Input type="tel" autoComplete="tel" {...register('businessPhone')} />
        </FormField>
        <FormField
          label="Address"
          isOptional
          error={errors.businessAddress?.message}
          className="sm:col-span-2"
        >
          <Textarea autoComplete="street-address" {...register('businessAddress')} />
        </FormField>
        <FormField
          label="Tax ID"
          isOptional
          error={errors.taxId?.message}
          hint="Your VAT number or UTR. Only the owners of the business can see it."
        >
          <Input autoComplete="off" {...register('taxId')} />
        </FormField>
      </div>
      {notice}
      <Button
        type="submit"
        className="mt-6 max-sm:w-full"
        disabled={!isNamed}
        isLoading={save.isPending}
        loadingText="Saving..."
      >
        {business ? 'Save business' : 'Set up business'}
      </Button>
    </form>
  );
}
