import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { OutputOf } from '#domain/endpoint.ts';
import { reviewsPolicyPath } from '#domain/pages.ts';
import { reviewsApi } from '#domain/reviews/contract.ts';
import { reviewLength, reviewTimes } from '#domain/reviews/rules.ts';
import { formatLessonTime } from '#domain/time.ts';
import { useApi } from '#web/app/api/api.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { StarInput } from '#web/ui/form/star-input.tsx';
import { Textarea } from '#web/ui/form/textarea.tsx';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.ts';
import { BackLink } from '#web/ui/page/back-link.tsx';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { RecordSkeleton } from '#web/ui/page/record-page.tsx';
import { describeOwnReview } from './review-labels.ts';

type Found = OutputOf<typeof reviewsApi.getOwn>;
const changed = [reviewsApi.getOwn, reviewsApi.listOwn];

/** Lets a customer review the coach of a lesson, or edit and delete the review. */
export default function WriteReviewScreen() {
  const { bookingId = '' } = useParams({ strict: false }) as { bookingId?: string };
  const found = useApi(reviewsApi.getOwn, { bookingId });
  return (
    <div className="max-w-reading">
      <BackLink to="/customer/reviews">My reviews</BackLink>
      <QueryView
        query={found}
        isPart
        failure="Failed to load your review"
        skeleton={<RecordSkeleton label="Loading your review..." />}
        missing={
          <EmptyState titleAs="h1" title="Booking not found">
            This booking doesn't exist or belongs to another account.
          </EmptyState>
        }
      >
        {(data) => <ReviewOfLesson key={data.review?.text ?? ''} bookingId={bookingId} found={data} />}
      </QueryView>
    </div>
  );
}

function ReviewOfLesson({ bookingId, found }: { bookingId: string; found: Found }) {
  const { lesson, review, refusal } = found;
  return (
    <>
      <h1 className="mt-4">Review {lesson.coachName}</h1>
      <p className="mt-2 text-muted-foreground">
        {lesson.title}, {formatLessonTime(lesson.startTime, lesson.endTime, Date.now())}
      </p>
      {review && <ReviewState found={found} />}
      {refusal && !review && (
        <p role="status" className="mt-6 rounded-md bg-muted px-4 py-3">
          {refusal}
        </p>
      )}
      {(!review || found.claim !== 'possible') && <AbsenceClaim bookingId={bookingId} claim={found.claim} />}
      {!refusal && <ReviewForm bookingId={bookingId} found={found} />}
    </>
  );
}

function ReviewState({ found }: { found: Found }) {
  const review = found.review!;
  const { label, tone, sentence } = describeOwnReview(review);
  return (
    <div className="mt-6 space-y-2 rounded-lg border p-4 text-sm">
      <p>
        <Badge tone={tone}>{label}</Badge>
      </p>
      <p>{sentence}</p>
      {review.status === 'removed' && (
        <>
          <p className="wrap-anywhere whitespace-pre-line text-muted-foreground">{review.text}</p>
          <p>
            <Link
              to="/reviews/$reviewId/decision"
              params={{ reviewId: review.reviewId }}
              className="inline-block py-2 text-primary underline underline-offset-4"
            >
              See the decision
            </Link>
          </p>
        </>
      )}
    </div>
  );
}

function ReviewForm({ bookingId, found }: { bookingId: string; found: Found }) {
  const { lesson, review, author } = found;
  const [rating, setRating] = useState<number | null>(review?.rating ?? null);
  const [text, setText] = useState(review?.text ?? '');
  const [isTried, setIsTried] = useState(false);
  const [isDeleting, setIsDeleting] = useState(false);
  const save = useApiMutation(reviewsApi.save, { invalidates: changed });
  const withdraw = useApiMutation(reviewsApi.withdraw, { invalidates: changed });
  const missing = reviewLength.min - text.trim().length;
  const fields = save.error?.fields;
  const ratingError =
    fields?.rating ?? (isTried && rating === null ? 'Choose one to five stars.' : undefined);
  const textError =
    fields?.text ??
    (isTried && missing > 0 ? `Please write at least ${reviewLength.min} characters.` : undefined);
  function submit() {
    setIsTried(true);
    if (rating === null || missing > 0) return;
    save.mutate(
      { bookingId, rating, text },
      {
        onSuccess: () =>
          toastSuccess(
            'Review saved',
            `We'll check it and publish it in ${reviewTimes.publishedAfterHours} hours.`,
          ),
      },
    );
  }
  return (
    <form
      noValidate
      className="mt-6 space-y-5"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <FormField label="Stars" isGroup error={ratingError}>
        <StarInput value={rating} onValueChange={setRating} />
      </FormField>
      <FormField
        label="Your review"
        error={textError}
        hint={`${text.trim().length} of ${reviewLength.max.toLocaleString('en-GB')} characters. Please don't name anyone except the coach, and never name a child.`}
      >
        <Textarea
          rows={6}
          maxLength={reviewLength.max}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
      </FormField>
      <p className="text-sm text-muted-foreground">
        Everyone can read it {reviewTimes.publishedAfterHours} hours after you save it, whatever the number of
        stars, as a review by “{author}”.{' '}
        {review && 'After a change, we hide it until we have checked it again. '}
        You can edit it for 12 months.{' '}
        <a href={reviewsPolicyPath} className="whitespace-nowrap text-primary underline underline-offset-4">
          How reviews work
        </a>
      </p>
      {save.error && !fields && (
        <p role="alert" className="text-sm text-destructive">
          {save.error.message}
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" isLoading={save.isPending} loadingText="Saving...">
          {review ? 'Save changes' : 'Send review'}
        </Button>
        {review && (
          <Button variant="ghost" onClick={() => setIsDeleting(true)}>
            Delete review
          </Button>
        )}
      </div>
      <ConfirmDialog
        open={isDeleting}
        onOpenChange={setIsDeleting}
        title="Delete this review?"
        confirmLabel="Delete review"
        isDestructive
        isPending={withdraw.isPending}
        pendingLabel="Deleting..."
        onConfirm={() =>
          withdraw.mutate(
            { bookingId },
            {
              onSuccess: () => {
                setIsDeleting(false);
                toastSuccess('Review deleted');
              },
              onError: (error) => toastError(error.message),
            },
          )
        }
      >
        We'll permanently delete your review of {lesson.coachName} and its reply.
      </ConfirmDialog>
    </form>
  );
}

const claimStates = {
  open: "You've told us that you were there. An admin will decide, and we'll notify you.",
  accepted: 'An admin has decided that you were there.',
  declined: 'An admin has decided that the lesson stays marked as missed.',
};

function AbsenceClaim({ bookingId, claim }: { bookingId: string; claim: Found['claim'] }) {
  const [statement, setStatement] = useState('');
  const send = useApiMutation(reviewsApi.claimAttendance, { invalidates: [reviewsApi.getOwn] });
  if (claim === null) return null;
  if (claim !== 'possible') {
    return (
      <p role="status" className="mt-4 text-sm">
        {claimStates[claim]}
      </p>
    );
  }
  return (
    <form
      noValidate
      className="mt-6 space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        send.mutate(
          { bookingId, statement },
          { onError: (error) => error.fields || toastError(error.message) },
        );
      }}
    >
      <h2 className="text-lg">Were you there?</h2>
      <FormField
        label="What happened?"
        error={send.error?.fields?.statement}
        hint="Only our admins read this."
      >
        <Textarea
          rows={4}
          maxLength={1000}
          value={statement}
          onChange={({ currentTarget }) => setStatement(currentTarget.value)}
        />
      </FormField>
      <Button type="submit" variant="secondary" isLoading={send.isPending} loadingText="Sending...">
        We were there
      </Button>
    </form>
  );
}
