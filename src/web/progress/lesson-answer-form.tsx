import { useState } from 'react';
import { progressApi } from '#domain/progress/contract.ts';
import type { ProgressLesson } from '#domain/progress/progress-shapes.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { toastSuccess } from '#web/ui/overlay/toaster.ts';
import { ratingNames } from './rating-names.ts';
import { ScaleField } from './scale-field.tsx';

/** The family's answer to a lesson, and the form for it. */
export function LessonAnswerForm({ lesson }: { lesson: ProgressLesson }) {
  const { bookingId, answer, isAnswerable, coachName } = lesson;
  const [isOpen, setIsOpen] = useState(false);
  const [rating, setRating] = useState(answer?.rating ?? null);
  const [body, setBody] = useState(answer?.body ?? '');
  const save = useApiMutation(progressApi.answer, { invalidates: [progressApi.get] });
  if (!isOpen) {
    return (
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {answer && (
          <p className="min-w-0 text-sm wrap-anywhere">
            <span className="text-muted-foreground">Your answer:</span> {answer.rating} of 5,{' '}
            {ratingNames[answer.rating as 1].toLowerCase()}
            {answer.body && <>. “{answer.body}”</>}
          </p>
        )}
        {isAnswerable && (
          <Button variant="secondary" size="sm" onClick={() => setIsOpen(true)}>
            {answer ? 'Change your answer' : 'How did it go?'}
          </Button>
        )}
      </div>
    );
  }
  const submit = () => {
    if (rating === null || save.isPending) return;
    save.mutate(
      { bookingId, rating, body },
      {
        onSuccess: () => {
          setIsOpen(false);
          toastSuccess('Answer sent', `Only ${coachName} sees it.`);
        },
      },
    );
  };
  return (
    <form
      noValidate
      className="space-y-4 rounded-lg border bg-card p-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <ScaleField label="How did it go?" names={ratingNames} value={rating} onChange={setRating} />
      <FormField
        label="A sentence for the coach"
        isOptional
        hint={`Only ${coachName} sees your answer. It isn't a review and doesn't count towards any rating.`}
        error={save.error?.fields?.body}
      >
        <Input maxLength={300} value={body} onChange={({ currentTarget }) => setBody(currentTarget.value)} />
      </FormField>
      {save.error && !save.error.fields && (
        <p role="alert" className="text-sm text-destructive">
          {save.error.message}
        </p>
      )}
      <p className="flex flex-wrap gap-2">
        <Button type="submit" disabled={rating === null} isLoading={save.isPending} loadingText="Sending...">
          Send answer
        </Button>
        <Button variant="ghost" onClick={() => setIsOpen(false)}>
          Cancel
        </Button>
      </p>
    </form>
  );
}
