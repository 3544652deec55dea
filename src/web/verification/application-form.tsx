import { useState } from 'react';
import { nationNames, nations } from '#domain/catalogue/nations.ts';
import { sportSlugs, sports } from '#domain/sports.ts';
import { listMissing, type OwnApplication } from '#domain/verification/application.ts';
import { applicationsApi } from '#domain/verification/applications-contract.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { useProduct } from '#web/app/api/product.ts';
import { Button } from '#web/ui/button.tsx';
import { CheckboxField } from '#web/ui/form/checkbox.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { RadioGroup } from '#web/ui/form/radio-group.tsx';
import { Textarea } from '#web/ui/form/textarea.tsx';
import { ToggleGroup } from '#web/ui/form/toggle-group.tsx';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.ts';
import { type Typed, useApplicationDraft } from './use-application-draft.ts';
import { WithdrawApplication } from './withdraw-application.tsx';

const labels: Record<keyof Typed, string> = {
  headline: 'Headline',
  bio: 'About you',
  sports: 'Sports',
  nations: 'Where you will coach',
  experience: 'Experience and qualifications',
  coachesJuniors: 'People under 18',
  hasAcceptedTerms: 'Terms',
};
const fields = Object.keys(labels) as (keyof Typed)[];
const sportOptions = sportSlugs.map((value) => ({ value, label: sports[value] }));
const nationOptions = nations.map((value) => ({ value, label: nationNames[value] }));

type ApplicationFormProps = {
  /** The draft or the application to change; null before the person has typed anything. */
  application: OwnApplication | null;
  joining: 'applications' | 'at_once';
};

/** The application form. It saves the input while the person types. */
export function ApplicationForm({ application, joining }: ApplicationFormProps) {
  const { brand } = useProduct();
  const { typed, change, flush, saving } = useApplicationDraft(application);
  const [isTried, setIsTried] = useState(false);
  const [isSubmitting, setIsSubmitting] = useState(false);
  const submit = useApiMutation(applicationsApi.submit, {
    invalidates: [applicationsApi.getOwn],
    onSuccess: () => toastSuccess('Application submitted'),
  });
  const missing = listMissing({
    ...typed,
    headline: typed.headline.trim() || null,
    bio: typed.bio.trim() || null,
    experience: typed.experience.trim() || null,
  });
  const open = fields.filter((field) => missing[field]);
  const refused = saving.status === 'failed' ? saving.error.fields : undefined;
  const errorOf = (field: keyof Typed) => refused?.[field] ?? (isTried ? missing[field] : undefined);

  async function checkAndSubmit() {
    setIsTried(true);
    if (open[0]) return focusField(open[0]);
    setIsSubmitting(true);
    if (await flush()) {
      await submit.mutateAsync({}).catch((error: Error) => toastError(error.message));
    }
    setIsSubmitting(false);
  }

  return (
    <>
      <h1>Become a coach</h1>
      <p className="mt-2 max-w-reading text-muted-foreground">
        Tell us who you are and what you teach.{' '}
        {joining === 'at_once'
          ? `Submit your application, and you can coach with ${brand} at once.`
          : 'We read every application and email you when we have decided.'}{' '}
        We save what you type, so you can carry on later.
      </p>
      {application?.status === 'changes' && <AskedChanges message={application.decisionMessage} />}
      <div className="mt-8 grid gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,1fr)_16rem]">
        <form
          noValidate
          className="max-w-2xl space-y-6"
          onSubmit={(event) => {
            event.preventDefault();
            void checkAndSubmit();
          }}
        >
          <div id="headline">
            <FormField
              label={labels.headline}
              error={errorOf('headline')}
              hint="Customers read this below your name. Example: “Tennis coach for beginners”."
            >
              <Input
                maxLength={100}
                autoComplete="organization-title"
                value={typed.headline}
                onChange={({ target }) => change({ headline: target.value })}
              />
            </FormField>
          </div>
          <div id="bio">
            <FormField
              label={labels.bio}
              error={errorOf('bio')}
              hint="How you coach, who you coach and what you bring. Customers read this too."
            >
              <Textarea
                rows={5}
                maxLength={4000}
                value={typed.bio}
                onChange={({ target }) => change({ bio: target.value })}
              />
            </FormField>
          </div>
          <div id="sports">
            <FormField label={labels.sports} isGroup error={errorOf('sports')}>
              <ToggleGroup
                value={typed.sports}
                onValueChange={(chosen) => change({ sports: chosen })}
                options={sportOptions}
              />
            </FormField>
          </div>
          <div id="nations">
            <FormField
              label={labels.nations}
              isGroup
              error={errorOf('nations')}
              hint="Each nation has its own checks for coaches."
            >
              <ToggleGroup
                value={typed.nations}
                onValueChange={(chosen) => change({ nations: chosen })}
                options={nationOptions}
              />
            </FormField>
          </div>
          <div id="experience">
            <FormField
              label={labels.experience}
              error={errorOf('experience')}
              hint="Clubs, years, licences and courses. Only admins read this."
            >
              <Textarea
                rows={5}
                maxLength={4000}
                value={typed.experience}
                onChange={({ target }) => change({ experience: target.value })}
              />
            </FormField>
          </div>
          <div id="coachesJuniors">
            <FormField label={labels.coachesJuniors} isGroup error={errorOf('coachesJuniors')}>
              <RadioGroup<'yes' | 'no'>
                value={typed.coachesJuniors === null ? null : typed.coachesJuniors ? 'yes' : 'no'}
                onValueChange={(chosen) => change({ coachesJuniors: chosen === 'yes' })}
                options={[
                  {
                    value: 'yes',
                    label: "I'll coach people under 18",
                    hint: 'We may ask you for a criminal record check and safeguarding training.',
                  },
                  { value: 'no', label: "I'll only coach adults" },
                ]}
              />
            </FormField>
          </div>
          <div id="hasAcceptedTerms">
            <FormField label={labels.hasAcceptedTerms} isGroup error={errorOf('hasAcceptedTerms')}>
              <CheckboxField
                label={
                  <>
                    I accept the{' '}
                    <a
                      href="/terms"
                      target="_blank"
                      rel="noreferrer"
                      className="text-primary underline underline-offset-4"
                    >
                      terms
                    </a>{' '}
                    for coaches
                  </>
                }
                checked={typed.hasAcceptedTerms}
                onChange={({ target }) => change({ hasAcceptedTerms: target.checked })}
              />
            </FormField>
          </div>
          <div className="flex flex-wrap items-center gap-x-4 gap-y-3 border-t pt-6">
            <Button
              type="submit"
              size="lg"
              isLoading={isSubmitting}
              loadingText="Submitting..."
              className="max-sm:w-full"
            >
              {application?.status === 'changes' ? 'Submit again' : 'Submit application'}
            </Button>
            {application && <WithdrawApplication before={flush} />}
            <SavingState saving={saving} hasDraft={application !== null} onRetry={() => void flush()} />
          </div>
        </form>
        <Missing open={open} isSentBack={application?.status === 'changes'} />
      </div>
    </>
  );
}

function focusField(field: keyof Typed): void {
  const part = document.getElementById(field);
  part?.querySelector<HTMLElement>('input, textarea, button')?.focus({ preventScroll: true });
  part?.scrollIntoView({ block: 'center' });
}

/** Lists what the application still needs, each item a link to its field. */
function Missing({ open, isSentBack }: { open: (keyof Typed)[]; isSentBack: boolean }) {
  return (
    <aside aria-labelledby="missing" className="max-lg:order-first">
      <div className="rounded-lg border bg-card p-4 lg:sticky lg:top-20">
        <h2 id="missing" className="text-base">
          {open.length > 0 ? 'Still missing' : 'Ready to submit'}
        </h2>
        {open.length > 0 ? (
          <ul className="mt-1 flex flex-wrap gap-x-4 lg:flex-col">
            {open.map((field) => (
              <li key={field}>
                <a
                  href={`#${field}`}
                  className="inline-block py-2 text-sm text-primary underline underline-offset-4"
                  onClick={(event) => {
                    event.preventDefault();
                    focusField(field);
                  }}
                >
                  {labels[field]}
                </a>
              </li>
            ))}
          </ul>
        ) : (
          <p className="mt-1.5 text-sm text-muted-foreground">
            You've filled in everything.
            {isSentBack && " Submit your application once you've changed what we asked for."}
          </p>
        )}
      </div>
    </aside>
  );
}

function AskedChanges({ message }: { message: string | null }) {
  return (
    <section aria-labelledby="changes" className="mt-6 max-w-2xl rounded-lg bg-warning-soft px-4 py-3">
      <h2 id="changes" className="text-base">
        We need a change before we can decide
      </h2>
      <p className="mt-1.5 wrap-anywhere whitespace-pre-line">{message}</p>
      <p className="mt-1.5 text-sm">Change your application and submit it again.</p>
    </section>
  );
}

type SavingStateProps = {
  saving: ReturnType<typeof useApplicationDraft>['saving'];
  hasDraft: boolean;
  onRetry: () => void;
};

function SavingState({ saving, hasDraft, onRetry }: SavingStateProps) {
  if (saving.status === 'failed') {
    return (
      <div role="alert" className="flex basis-full flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <p className="text-destructive">Not saved yet. {saving.error.message}</p>
        <Button variant="secondary" size="sm" onClick={onRetry}>
          Save now
        </Button>
      </div>
    );
  }
  return (
    <p role="status" className="text-sm text-muted-foreground">
      {saving.status === 'saved' ? hasDraft && 'Draft saved' : 'Saving...'}
    </p>
  );
}
