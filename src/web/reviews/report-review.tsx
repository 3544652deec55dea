import { useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { reviewsPolicyPath } from '#domain/pages.ts';
import { reviewsApi } from '#domain/reviews/contract.ts';
import { type RemovalReason, reviewTimes } from '#domain/reviews/rules.ts';
import { useApi } from '#web/app/api/api.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { PersonalPage } from '#web/app/layout/area-layout.tsx';
import { Button } from '#web/ui/button.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { RadioGroup } from '#web/ui/form/radio-group.tsx';
import { Textarea } from '#web/ui/form/textarea.tsx';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { RecordSkeleton } from '#web/ui/page/record-page.tsx';
import { ReviewItem } from '#web/ui/rating/review-item.tsx';
import { reasonOptions } from './review-labels.ts';

/** Lets anyone ask the admins to check a published review or its reply. */
export default function ReportReviewScreen() {
  const { reviewId = '' } = useParams({ strict: false }) as { reviewId?: string };
  const { about = 'review' } = useSearch({ strict: false }) as { about?: 'reply' };
  const query = useApi(reviewsApi.get, { reviewId });
  return (
    <PersonalPage>
      <div className="w-full max-w-reading">
        <h1>Report a {about}</h1>
        <p className="mt-2 text-muted-foreground">
          An admin decides within {reviewTimes.decidedWithinWorkingDays} working days. A low rating isn't a
          reason to remove a review.{' '}
          <a href={reviewsPolicyPath} className="whitespace-nowrap text-primary underline underline-offset-4">
            How reviews work
          </a>
        </p>
        <QueryView
          query={query}
          failure="Failed to load the review"
          skeleton={<RecordSkeleton label="Loading the review..." />}
          missing={
            <EmptyState title="This review isn't available" className="mt-6">
              It may have been removed, its author may be changing it, or the address is wrong.
            </EmptyState>
          }
        >
          {({ review, coachName }) => (
            <>
              <ul className="mt-4 border-y">
                <ReviewItem review={review} coachName={coachName} />
              </ul>
              <ReportForm reviewId={reviewId} about={review.reply ? about : 'review'} />
            </>
          )}
        </QueryView>
      </div>
    </PersonalPage>
  );
}

function ReportForm({ reviewId, about }: { reviewId: string; about: 'review' | 'reply' }) {
  const { user } = useAuth();
  const [reason, setReason] = useState<RemovalReason | null>(null);
  const [statement, setStatement] = useState('');
  const [isTried, setIsTried] = useState(false);
  const report = useApiMutation(reviewsApi.report);
  if (report.isSuccess) {
    return (
      <p role="status" className="mt-6">
        Thank you. An admin will look at this {about} and decide within {reviewTimes.decidedWithinWorkingDays}{' '}
        working days. {user ? "We'll notify you." : ''}
      </p>
    );
  }
  return (
    <form
      noValidate
      className="mt-6 space-y-5"
      onSubmit={(event) => {
        event.preventDefault();
        setIsTried(true);
        if (reason) report.mutate({ reviewId, about, reason, statement });
      }}
    >
      <FormField label="Reason" isGroup error={isTried && !reason ? 'Choose one of the reasons.' : undefined}>
        <RadioGroup value={reason} onValueChange={setReason} options={reasonOptions} />
      </FormField>
      <FormField
        label="What's wrong?"
        error={report.error?.fields?.statement}
        hint="Only our admins read this."
      >
        <Textarea
          rows={4}
          maxLength={1000}
          value={statement}
          onChange={({ currentTarget }) => setStatement(currentTarget.value)}
        />
      </FormField>
      {!user && (
        <p className="text-sm text-muted-foreground">
          Sign in first if you'd like us to notify you of the decision. You can then appeal, too.
        </p>
      )}
      {report.error && !report.error.fields && (
        <p role="alert" className="text-sm text-destructive">
          {report.error.message}
        </p>
      )}
      <Button type="submit" isLoading={report.isPending} loadingText="Sending...">
        Send report
      </Button>
    </form>
  );
}
