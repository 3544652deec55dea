import { useState } from 'react';
import { reportReviewPath } from '#domain/pages.ts';
import { coachReviewsApi } from '#domain/reviews/coach-contract.ts';
import type { Review } from '#domain/reviews/review.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { usePages } from '#web/app/api/use-pages.ts';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { Button } from '#web/ui/button.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Textarea } from '#web/ui/form/textarea.tsx';
import { useDialogItem } from '#web/ui/overlay/dialog-item.ts';
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx';
import { toastSuccess } from '#web/ui/overlay/toaster.ts';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { PagedList } from '#web/ui/page/paged-list.tsx';
import { SkeletonRows } from '#web/ui/page/skeleton.tsx';
import { RatingSummary } from '#web/ui/rating/rating-summary.tsx';
import { ReviewItem } from '#web/ui/rating/review-item.tsx';

/** The signed-in coach's reviews, each with its reply or a button to reply. */
export default function CoachReviewsScreen() {
  const { profile } = useAuth();
  const found = usePages(coachReviewsApi.listAboutMe, {}, (page) => page.reviews);
  const replying = useDialogItem<Review>();
  const rating = found.data?.pages[0]?.rating;
  return (
    <>
      <h1>Reviews</h1>
      <p className="mt-2 mb-6 max-w-reading text-muted-foreground">
        Reviews that customers write about you. You can reply to each review once, and everyone can read your
        reply.
      </p>
      {rating && rating.reviews > 0 && <RatingSummary rating={rating} />}
      <PagedList
        found={found}
        failure="Failed to load your reviews"
        skeleton={<SkeletonRows label="Loading your reviews..." />}
        more="Show older reviews"
        empty={
          <EmptyState title="No reviews yet">
            A day after a lesson, we invite customers who can review you to write a review. If you haven't
            marked attendance, we invite them after two days.
          </EmptyState>
        }
      >
        {(reviews) => (
          <ul aria-label="Reviews about you" className="mt-6 divide-y border-y">
            {reviews.map((review) => (
              <ReviewItem
                key={review.reviewId}
                review={review}
                coachName={profile?.fullName ?? 'you'}
                actions={
                  <p className="mt-3 flex flex-wrap items-center gap-3">
                    {!review.reply && (
                      <Button
                        size="sm"
                        variant="secondary"
                        onClick={() => replying.open(review)}
                        aria-label={`Reply to ${review.author}`}
                      >
                        Reply
                      </Button>
                    )}
                    <a
                      href={reportReviewPath(review.reviewId, 'review')}
                      aria-label={`Report the review by ${review.author}`}
                      className="py-2 text-sm text-muted-foreground underline underline-offset-4"
                    >
                      Report
                    </a>
                  </p>
                }
              />
            ))}
          </ul>
        )}
      </PagedList>
      {replying.item && (
        <ReplyDialog
          key={replying.openings}
          review={replying.item}
          isOpen={replying.isOpen}
          onClose={replying.close}
        />
      )}
    </>
  );
}

type ReplyDialogProps = { review: Review; isOpen: boolean; onClose: () => void };

function ReplyDialog({ review, isOpen, onClose }: ReplyDialogProps) {
  const [text, setText] = useState('');
  const reply = useApiMutation(coachReviewsApi.reply, { invalidates: [coachReviewsApi.listAboutMe] });
  const send = () =>
    reply.mutate(
      { reviewId: review.reviewId, text },
      {
        onSuccess: () => {
          toastSuccess('Reply published');
          onClose();
        },
      },
    );
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Reply to ${review.author}`}
      description="Everyone can read your reply. You can reply once and can't change it afterwards."
      size="sm"
      onSubmit={send}
      refusal={reply.error}
      submit="Publish reply"
      isPending={reply.isPending}
      pendingLabel="Publishing..."
    >
      <blockquote className="max-h-40 overflow-y-auto border-l-2 pl-4 text-sm wrap-anywhere whitespace-pre-line">
        {review.text}
      </blockquote>
      <FormField
        label="Your reply"
        error={reply.error?.fields?.text}
        hint="Please don't name anyone who takes part, and don't include links or contact details."
      >
        <Textarea
          rows={5}
          maxLength={1000}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
      </FormField>
    </FormDialog>
  );
}
