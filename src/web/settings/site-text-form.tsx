import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { siteTextTitles } from '#domain/pages.ts';
import { type SiteText, siteTextInput, siteTextsApi } from '#domain/settings/site-texts-contract.ts';
import { useApi } from '#web/app/api/api.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { useRefusal } from '#web/app/api/use-refusal.tsx';
import { Button } from '#web/ui/button.tsx';
import { Section } from '#web/ui/card.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { SegmentedControl } from '#web/ui/form/segmented-control.tsx';
import { Textarea } from '#web/ui/form/textarea.tsx';
import { toastSuccess } from '#web/ui/overlay/toaster.ts';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { Loading, Skeleton } from '#web/ui/page/skeleton.tsx';
import { useReportUnsaved } from './unsaved-guard.tsx';

/** Changes the texts of the terms, privacy, help and contact pages, one at a time. */
export function SiteTextForms() {
  const texts = useApi(siteTextsApi.list, {});
  const [slug, setSlug] = useState<SiteText['slug']>('terms');
  return (
    <Section
      title="Pages"
      description="The text of the Terms, Privacy, Help and Contact pages. The default texts describe how bookings work. Ask a lawyer to check them."
    >
      <QueryView
        query={texts}
        isPart
        failure="Failed to load the texts"
        skeleton={
          <Loading label="Loading texts...">
            <Skeleton className="h-60 w-full" />
          </Loading>
        }
      >
        {({ texts: all }) => (
          <div className="space-y-5">
            <SegmentedControl
              label="Page"
              value={slug}
              onValueChange={setSlug}
              options={all.map((one) => ({ value: one.slug, label: siteTextTitles[one.slug] }))}
            />
            {/* All forms stay mounted, so that typed text is kept while another form is shown. */}
            {all.map((one) => (
              <div key={one.slug} hidden={one.slug !== slug}>
                <SiteTextForm saved={one} />
              </div>
            ))}
          </div>
        )}
      </QueryView>
    </Section>
  );
}

function SiteTextForm({ saved }: { saved: SiteText }) {
  const { slug } = saved;
  const title = siteTextTitles[slug];
  const save = useApiMutation(siteTextsApi.save, { invalidates: [siteTextsApi.list] });
  const form = useForm<{ slug: typeof slug; text: string }>({
    resolver: zodResolver(siteTextInput as never) as never,
    defaultValues: { slug, text: saved.text },
  });
  const { register, handleSubmit, reset, formState } = form;
  const { showRefusal, clearRefusal, notice } = useRefusal(form);
  useReportUnsaved(formState.isDirty);
  function submit(values: { text: string }) {
    save.mutate(
      { slug, text: values.text },
      {
        onSuccess: ({ texts }) => {
          clearRefusal();
          reset({ slug, text: texts.find((one) => one.slug === slug)!.text });
          toastSuccess(`${title} saved`);
        },
        onError: (error) => showRefusal(error),
      },
    );
  }
  return (
    <form noValidate onSubmit={handleSubmit(submit)} aria-label={title} className="space-y-5">
      <FormField
        label={`Text of the ${title} page`}
        error={formState.errors.text?.message}
        hint={
          'Start a paragraph with a blank line, a heading with "## " and each item of a list with "- ". {brand} and {contact} become the brand name and the contact address. Clear the text to restore the default.'
        }
      >
        <Textarea rows={14} {...register('text')} />
      </FormField>
      {notice}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button
          type="submit"
          variant={formState.isDirty ? 'primary' : 'secondary'}
          isLoading={save.isPending}
          loadingText="Saving..."
        >
          Save {title.toLowerCase()}
        </Button>
        <a
          href={`/${slug}`}
          target="_blank"
          rel="noopener"
          className="text-sm text-primary underline underline-offset-4"
        >
          View the page
        </a>
        {saved.isDefault && <p className="text-sm text-muted-foreground">This is the default text.</p>}
      </div>
    </form>
  );
}
