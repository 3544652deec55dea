import { zodResolver } from '@hookform/resolvers/zod';
import { type ReactNode, useState } from 'react';
import {
  type DefaultValues,
  type FieldValues,
  type Resolver,
  type UseFormReturn,
  useForm,
} from 'react-hook-form';
import type { z } from 'zod';
import type { Endpoint } from '#domain/endpoint.ts';
import { type Settings, settingsApi } from '#domain/settings/contract.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { useRefusal } from '#web/app/api/use-refusal.tsx';
import { Button } from '#web/ui/button.tsx';
import { Section } from '#web/ui/card.tsx';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { toastSuccess } from '#web/ui/overlay/toaster.ts';
import { useReportUnsaved } from './unsaved-guard.tsx';

type SettingFormProps<Name extends keyof Settings, Values extends FieldValues = Settings[Name]> = {
  name: Name;
  /** A heading such as "Platform fee", also used in "Save platform fee" and "Platform fee saved". */
  title: string;
  description: ReactNode;
  endpoint: Endpoint;
  /**
   * The schema of the endpoint's input. Import it by its own name, because the scripts for browsers leave out
   * the schemas in endpoints.
   */
  schema: z.ZodType;
  saved: Values;
  /** Other endpoints that return this setting, besides the admin's; refetched after a save. */
  alsoReadBy: readonly Endpoint[];
  /** The confirmation before these values replace the saved values; null if none is needed. */
  ask?: (values: Values, saved: Values) => { title: string; text: ReactNode; confirmLabel: string } | null;
  children: (form: UseFormReturn<Values>) => ReactNode;
};

/**
 * One setting in its own form, validated against its contract and saved by its button. A refused save keeps
 * the input.
 */
export function SettingForm<Name extends keyof Settings>({
  name,
  title,
  description,
  endpoint,
  schema,
  saved,
  alsoReadBy,
  ask,
  children,
}: SettingFormProps<Name>) {
  type Values = Settings[Name];
  const update = useApiMutation(endpoint, { invalidates: [settingsApi.getSettings, ...alsoReadBy] });
  const form = useForm<Values>({
    resolver: zodResolver(schema as never) as unknown as Resolver<Values>,
    defaultValues: saved as DefaultValues<Values>,
  });
  const { showRefusal, clearRefusal, notice } = useRefusal(form);
  const [asked, setAsked] = useState<Values | null>(null);
  const question = asked && ask?.(asked, saved);
  useReportUnsaved(form.formState.isDirty);
  function submit(values: Values) {
    if (ask?.(values, saved)) setAsked(values);
    else save(values);
  }
  function save(values: Values) {
    update.mutate(values, {
      onSettled: () => setAsked(null),
      onSuccess: (answer) => {
        clearRefusal();
        form.reset((answer as Settings)[name]);
        toastSuccess(`${title} saved`);
      },
      onError: (error) => showRefusal(error),
    });
  }
  return (
    <Section title={title} description={description}>
      <form noValidate onSubmit={form.handleSubmit(submit)} aria-label={title} className="space-y-5">
        {children(form)}
        {notice}
        <Button
          type="submit"
          // With unsaved changes, saving them is the tab's main action.
          variant={form.formState.isDirty ? 'primary' : 'secondary'}
          isLoading={update.isPending}
          loadingText="Saving..."
        >
          Save {title.toLowerCase()}
        </Button>
      </form>
      {question && (
        <ConfirmDialog
          open
          onOpenChange={() => setAsked(null)}
          title={question.title}
          confirmLabel={question.confirmLabel}
          onConfirm={() => save(asked)}
          isPending={update.isPending}
          pendingLabel="Saving..."
        >
          {question.text}
        </ConfirmDialog>
      )}
    </Section>
  );
}
