import { Link, useLocation, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { OutputOf } from '#domain/endpoint.ts';
import { reviewsPolicyPath } from '#domain/pages.ts';
import { reviewsApi } from '#domain/reviews/contract.ts';
import { removalReasons, reviewTimes } from '#domain/reviews/rules.ts';
import { useApi } from '#web/app/api/api.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { PersonalPage } from '#web/app/layout/area-layout.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Textarea } from '#web/ui/form/textarea.tsx';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.ts';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { RecordSkeleton } from '#web/ui/page/record-page.tsx';

type Decision = OutputOf<typeof reviewsApi.getDecision>['decisions'][number];

/**
 * An admin's decision about a review, for its author and the people who reported it, with the form to appeal.
 */
export default function ReviewDecisionScreen() {
  const { reviewId = '' } = useParams({ strict: false }) as { reviewId?: string };
  const { user, loading } = useAuth();
  const next = useLocation({ select: ({ href }) => href });
  if (!user && !loading) {
    return (
      <PersonalPage>
        <EmptyState
          titleAs="h1"
          title="Sign in to see the decision"
          action={
            <Button asChild>
              <Link to="/login" search={{ next }}>
                Sign In
              </Link>
            </Button>
          }
        >
          Only the author and the people who reported the review can see it.
        </EmptyState>
      </PersonalPage>
    );
  }
  return (
    <PersonalPage>
      <div className="w-full max-w-reading">{user && <Decisions reviewId={reviewId} />}</div>
    </PersonalPage>
  );
}

function Decisions({ reviewId }: { reviewId: string }) {
  const query = useApi(reviewsApi.getDecision, { reviewId });
  return (
    <QueryView
      query={query}
      failure="Failed to load the decision"
      skeleton={<RecordSkeleton label="Loading the decision..." />}
      missing={
        <EmptyState titleAs="h1" title="Decision not found">
          The review was deleted, or you aren't its author and didn't report it.
        </EmptyState>
      }
    >
      {({ coachName, decisions }) => (
        <>
          <h1>Review of {coachName}</h1>
          <p className="mt-2">
            <a href={reviewsPolicyPath} className="text-primary underline underline-offset-4">
              How reviews work
            </a>
          </p>
          {decisions.map((decision) => (
            <DecisionPart key={decision.about} reviewId={reviewId} decision={decision} />
          ))}
        </>
      )}
    </QueryView>
  );
}

const states = {
  open: ['No decision yet', 'neutral'],
  shown: ['Stays public', 'success'],
  removed: ['Removed', 'destructive'],
} as const;
const appeals = {
  open: "You've appealed. An admin will look at the decision again, and we'll notify you.",
  decided: 'An admin has decided on your appeal. This decision is final.',
};

function DecisionPart({ reviewId, decision }: { reviewId: string; decision: Decision }) {
  const { about, text, role, outcome, reason, appeal } = decision;
  const [label, tone] = states[outcome];
  return (
    <section aria-label={about === 'review' ? 'Review' : 'Reply'} className="mt-6 border-t pt-6">
      <p className="flex flex-wrap items-center gap-3">
        <span className="font-medium">
          {role === 'author' ? `Your ${about}` : `The ${about} that you reported`}
        </span>
        <Badge tone={tone}>{label}</Badge>
      </p>
      <blockquote className="mt-3 border-l-2 pl-4 wrap-anywhere whitespace-pre-line">{text}</blockquote>
      {reason && <p className="mt-3 text-sm">Reason: {removalReasons[reason]}.</p>}
      {outcome === 'shown' && <p className="mt-3 text-sm">It doesn't break our rules for reviews.</p>}
      {appeal === 'possible' && <AppealForm reviewId={reviewId} about={about} />}
      {(appeal === 'open' || appeal === 'decided') && (
        <p role="status" className="mt-3 text-sm">
          {appeals[appeal]}
        </p>
      )}
    </section>
  );
}

function AppealForm({ reviewId, about }: { reviewId: string; about: 'review' | 'reply' }) {
  const [statement, setStatement] = useState('');
  const appeal = useApiMutation(reviewsApi.appeal, { invalidates: [reviewsApi.getDecision] });
  return (
    <form
      noValidate
      className="mt-5 space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        appeal.mutate(
          { reviewId, about, statement },
          {
            onSuccess: () => toastSuccess('Appeal sent'),
            onError: (error) => error.fields || toastError(error.message),
          },
        );
      }}
    >
      <FormField
        label="Why is the decision wrong?"
        error={appeal.error?.fields?.statement}
        hint={`You can appeal once, within ${reviewTimes.appealDays} days of the decision. Only our admins read this.`}
      >
        <Textarea
          rows={4}
          maxLength={1000}
          value={statement}
          onChange={({ currentTarget }) => setStatement(currentTarget.value)}
        />
      </FormField>
      <Button type="submit" isLoading={appeal.isPending} loadingText="Sending...">
        Appeal
      </Button>
    </form>
  );
}
