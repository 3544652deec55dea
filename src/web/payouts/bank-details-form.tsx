import { zodResolver } from '@hookform/resolvers/zod';
import { type FormEvent, useEffect } from 'react';
import { Controller, useForm, useWatch } from 'react-hook-form';
import type { z } from 'zod';
import { payoutsApi } from '#domain/payouts/contract.ts';
import { earningsApi } from '#domain/payouts/earnings-contract.ts';
import {
  type BankDetailsInput,
  bankCountries,
  bankCurrencies,
  bankDetailsInput,
  formatSortCode,
  recipientTypes,
} from '#domain/payouts/rules.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { useRefusal } from '#web/app/api/use-refusal.tsx';
import { Button } from '#web/ui/button.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { SegmentedControl } from '#web/ui/form/segmented-control.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { toastSuccess } from '#web/ui/overlay/toaster.ts';
import { describeCountry, describeCurrency } from './bank-labels.ts';

const emptyDetails = {
  accountName: '',
  sortCode: '',
  accountNumber: '',
  recipientType: 'Individual',
  bankCountry: 'GB',
  currency: 'GBP',
} satisfies BankDetailsInput;

type BankDetailsFormProps = {
  /** True if there are saved details; all of them have to be typed again. */
  isChange: boolean;
  onSaved: () => void;
  onCancel: (() => void) | undefined;
};

/** The form for bank details. It starts empty: saved details are not filled in. */
export function BankDetailsForm({ isChange, onSaved, onCancel }: BankDetailsFormProps) {
  const save = useApiMutation(payoutsApi.saveBankDetails, {
    invalidates: [payoutsApi.getBankDetails, earningsApi.getEarnings],
  });
  const form = useForm<BankDetailsInput, unknown, z.output<typeof bankDetailsInput>>({
    resolver: zodResolver(bankDetailsInput),
    defaultValues: emptyDetails,
  });
  const {
    register,
    control,
    handleSubmit,
    setFocus,
    formState: { errors },
  } = form;
  const { showRefusal, notice } = useRefusal(form);
  const digits = useWatch({ control, name: 'accountNumber' }).replace(/\D/g, '').length;
  useEffect(() => {
    if (isChange) setFocus('accountName');
  }, [isChange, setFocus]);

  function submit(details: z.output<typeof bankDetailsInput>) {
    save.mutate(details, {
      onSuccess: () => {
        toastSuccess('Bank details saved', "We've sent you a confirmation email.");
        onSaved();
      },
      onError: (error) => showRefusal(error),
    });
  }

  return (
    <form noValidate onSubmit={handleSubmit(submit)} className="grid max-w-[30rem] gap-5">
      {isChange && (
        <p className="text-sm text-muted-foreground">
          Enter all of the details again. We keep your current details until you save.
        </p>
      )}
      <FormField
        label="Name on the account"
        hint="As shown on your bank card or statement."
        error={errors.accountName?.message}
      >
        <Input autoComplete="off" {...register('accountName')} />
      </FormField>
      <div className="grid gap-x-4 gap-y-5 sm:grid-cols-2">
        <FormField label="Sort code" error={errors.sortCode?.message}>
          <Input
            inputMode="numeric"
            autoComplete="off"
            placeholder="12-34-56"
            className="tabular-nums"
            onInput={rewrite(formatSortCode)}
            {...register('sortCode')}
          />
        </FormField>
        <FormField label="Account number" error={errors.accountNumber?.message}>
          <Input
            inputMode="numeric"
            autoComplete="off"
            className="tabular-nums"
            trailing={`${digits} of 8`}
            onInput={rewrite(keepDigits)}
            {...register('accountNumber')}
          />
        </FormField>
      </div>
      <FormField label="Recipient type" isGroup error={errors.recipientType?.message}>
        <Controller
          control={control}
          name="recipientType"
          render={({ field }) => (
            <SegmentedControl
              value={field.value ?? 'Individual'}
              onValueChange={field.onChange}
              options={recipientTypes.map((type) => ({ value: type, label: type }))}
            />
          )}
        />
      </FormField>
      <div className="grid gap-x-4 gap-y-5 sm:grid-cols-2">
        <FormField label="Country" error={errors.bankCountry?.message}>
          <Select {...register('bankCountry')}>
            {bankCountries.map((country) => (
              <option key={country} value={country}>
                {describeCountry(country)}
              </option>
            ))}
          </Select>
        </FormField>
        <FormField label="Currency" error={errors.currency?.message}>
          <Select {...register('currency')}>
            {bankCurrencies.map((currency) => (
              <option key={currency} value={currency}>
                {describeCurrency(currency)}
              </option>
            ))}
          </Select>
        </FormField>
      </div>
      {notice}
      <div className="mt-1 flex flex-wrap gap-2">
        <Button type="submit" isLoading={save.isPending} loadingText="Saving...">
          Save bank details
        </Button>
        {onCancel && (
          <Button variant="secondary" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
    </form>
  );
}

const keepDigits = (typed: string) => typed.replace(/\D/g, '');

/** Formats typed input, but only with the caret at the end of the text, because elsewhere the caret would jump. */
const rewrite =
  (format: (typed: string) => string) =>
  ({ currentTarget: field }: FormEvent<HTMLInputElement>) => {
    if (field.selectionStart === field.value.length) field.value = format(field.value);
  };
