import { Link } from '@tanstack/react-router';
import { reviewsPolicyPath } from '#domain/pages.ts';
import { type ReviewedLesson, reviewsApi } from '#domain/reviews/contract.ts';
import type { OwnReview } from '#domain/reviews/review.ts';
import { formatDay, formatMonth } from '#domain/time.ts';
import { useApi } from '#web/app/api/api.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Section } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { SkeletonRows } from '#web/ui/page/skeleton.tsx';
import { Stars } from '#web/ui/rating/stars.tsx';
import { describeOwnReview } from './review-labels.ts';

/** A customer's reviews, and the coaches that they can review now. */
export default function MyReviewsScreen() {
  const query = useApi(reviewsApi.listOwn, {});
  return (
    <>
      <h1>My reviews</h1>
      <p className="mt-2 mb-6 max-w-reading text-muted-foreground">
        You can review each coach once in 12 months, after a lesson that you've paid for.{' '}
        <a href={reviewsPolicyPath} className="whitespace-nowrap text-primary underline underline-offset-4">
          How reviews work
        </a>
      </p>
      <QueryView
        query={query}
        failure="Failed to load your reviews"
        skeleton={<SkeletonRows label="Loading your reviews..." />}
        isEmpty={({ reviews, open }) => reviews.length + open.length === 0}
        empty={
          <EmptyState
            title="No reviews yet"
            action={
              <Button asChild variant="secondary">
                <Link to="/customer/my-bookings">My bookings</Link>
              </Button>
            }
          >
            You can review your coach here after your next lesson.
          </EmptyState>
        }
      >
        {({ reviews, open }) => (
          <>
            {open.length > 0 && (
              <Section title="You can review">
                <ul aria-label="Coaches to review" className="divide-y border-y">
                  {open.map((lesson) => (
                    <OpenReview key={lesson.bookingId} lesson={lesson} />
                  ))}
                </ul>
              </Section>
            )}
            {reviews.length > 0 && (
              <Section title="Your reviews">
                <ul aria-label="Your reviews" className="divide-y border-y">
                  {reviews.map((review) => (
                    <OwnReviewItem key={review.reviewId} review={review} />
                  ))}
                </ul>
              </Section>
            )}
          </>
        )}
      </QueryView>
    </>
  );
}

function OpenReview({ lesson }: { lesson: ReviewedLesson }) {
  const { bookingId, coachName, title, startTime } = lesson;
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-4">
      <div className="min-w-0">
        <p className="font-medium wrap-anywhere">{coachName}</p>
        <p className="text-sm text-muted-foreground">
          {title}, {formatDay(startTime, Date.now())}
        </p>
      </div>
      <Button asChild size="sm">
        <Link
          to="/customer/reviews/$bookingId"
          params={{ bookingId }}
          aria-label={`Write a review of ${coachName}`}
        >
          Write a review
        </Link>
      </Button>
    </li>
  );
}

function OwnReviewItem({ review }: { review: OwnReview }) {
  const { bookingId, coachName, rating, text, reply } = review;
  const { label, tone, sentence } = describeOwnReview(review);
  return (
    <li className="py-5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium wrap-anywhere">{coachName}</span>
        <Stars rating={rating} />
        <Badge tone={tone}>{label}</Badge>
      </div>
      <p className="mt-2 max-w-reading wrap-anywhere whitespace-pre-line">{text}</p>
      <p className="mt-2 max-w-reading text-sm text-muted-foreground">{sentence}</p>
      {reply && (
        <div className="mt-3 max-w-reading border-l-2 pl-4 text-sm">
          <p className="font-medium">
            Reply from {coachName}, {formatMonth(reply.month)}
          </p>
          <p className="mt-1 wrap-anywhere whitespace-pre-line">{reply.text}</p>
        </div>
      )}
      <Button asChild size="sm" variant="secondary" className="mt-3">
        <Link
          to="/customer/reviews/$bookingId"
          params={{ bookingId }}
          aria-label={`Open your review of ${coachName}`}
        >
          {review.status === 'removed' ? 'Open' : 'Edit'}
        </Link>
      </Button>
    </li>
  );
}
