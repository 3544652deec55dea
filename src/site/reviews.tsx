import { coachPath, reportReviewPath, reviewsPath } from '#domain/pages.ts';
import type { CoachRating, Review } from '#domain/reviews/review.ts';
import { RatingSummary } from '#web/ui/rating/rating-summary.tsx';
import { ReviewItem } from '#web/ui/rating/review-item.tsx';
import { Page, type Site } from './page.tsx';

/** A page of a coach's reviews. */
export type ReviewsShown = { rating: CoachRating; reviews: readonly Review[]; nextCursor: string | null };

type Coach = { coachId: string; coachAddress: string | null; fullName: string };

/** The section of a coach's profile with the newest reviews. */
export function ReviewsSection({ coach, shown }: { coach: Coach; shown: ReviewsShown }) {
  return (
    <section id="reviews" aria-labelledby="reviews-heading" className="mt-12 scroll-mt-20">
      <h2 id="reviews-heading">Reviews</h2>
      <div className="mt-4">
        <RatingSummary rating={shown.rating} />
      </div>
      <ReviewList coach={coach} shown={shown} label="Show more reviews" />
    </section>
  );
}

function ReviewList({ coach, shown, label }: { coach: Coach; shown: ReviewsShown; label: string }) {
  return (
    <>
      {shown.reviews.length > 0 && (
        <ul aria-label={`Reviews of ${coach.fullName}`} className="mt-4 divide-y border-t">
          {shown.reviews.map((review) => (
            <ReviewItem
              key={review.reviewId}
              review={review}
              coachName={coach.fullName}
              actions={<ReportLink reviewId={review.reviewId} about="review" author={review.author} />}
              replyActions={<ReportLink reviewId={review.reviewId} about="reply" author={coach.fullName} />}
            />
          ))}
        </ul>
      )}
      {shown.nextCursor && (
        <p className="mt-4 text-sm">
          <a
            href={`${reviewsPath(coach)}?after=${encodeURIComponent(shown.nextCursor)}`}
            className="inline-block py-2 font-medium text-primary underline underline-offset-4"
          >
            {label}
          </a>
        </p>
      )}
    </>
  );
}

function ReportLink({
  reviewId,
  about,
  author,
}: {
  reviewId: string;
  about: 'review' | 'reply';
  author: string;
}) {
  return (
    <a
      href={reportReviewPath(reviewId, about)}
      rel="nofollow"
      aria-label={`Report the ${about} by ${author}`}
      className="inline-block py-1 text-xs text-muted-foreground hover:underline"
    >
      Report {about}
    </a>
  );
}

type ReviewsPageProps = { site: Site; coach: Coach; shown: ReviewsShown };

/** A page of a coach's reviews, newest first. */
export function ReviewsPage({ site, coach, shown }: ReviewsPageProps) {
  const { fullName } = coach;
  return (
    <Page
      site={site}
      title={`Reviews of ${fullName}`}
      description={`What customers of ${site.brand} write about ${fullName}.`}
      path={reviewsPath(coach)}
      next={reviewsPath(coach)}
    >
      <div className="mx-auto w-full max-w-page px-4 py-10 md:py-14">
        <p className="text-sm">
          <a href={coachPath(coach)} className="inline-block py-2 text-primary underline underline-offset-4">
            {fullName}
          </a>
        </p>
        <h1 className="mb-6">Reviews of {fullName}</h1>
        <RatingSummary rating={shown.rating} />
        <ReviewList coach={coach} shown={shown} label="Show older reviews" />
      </div>
    </Page>
  );
}
