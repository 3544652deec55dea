import { Link, useParams } from '@tanstack/react-router';
import type { OutputOf } from '#domain/endpoint.ts';
import { moderationApi, type ReviewCase } from '#domain/reviews/moderation-contract.ts';
import { findingNames, removalReasons } from '#domain/reviews/rules.ts';
import { formatDay, formatTime } from '#domain/time.ts';
import { useApi } from '#web/app/api/api.ts';
import { AreaGate } from '#web/app/auth/gates.tsx';
import { PersonalPage } from '#web/app/layout/area-layout.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Section } from '#web/ui/card.tsx';
import { BackLink } from '#web/ui/page/back-link.tsx';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { RecordFacts, RecordHeading, RecordSkeleton } from '#web/ui/page/record-page.tsx';
import { Stars } from '#web/ui/rating/stars.tsx';
import { DecideCase } from './decide-case.tsx';
import { actionLabels, describeCase, outcomeLabels } from './review-labels.ts';

/** A case about a review, for admins: the text, the statements, the decision and the history of the review. */
export default function ReviewCaseScreen() {
  const { caseId = '' } = useParams({ strict: false }) as { caseId?: string };
  const found = useApi(moderationApi.getCase, { caseId }, { staleTime: 0 });
  return (
    <AreaGate area="admin">
      <PersonalPage>
        <div className="max-w-3xl">
          <BackLink to="/admin/panel" search={{ tab: 'reviews' }}>
            Reviews
          </BackLink>
          <QueryView
            query={found}
            isPart
            failure="Failed to load the case"
            skeleton={<RecordSkeleton label="Loading the case..." />}
            missing={
              <EmptyState titleAs="h1" title="Case not found">
                The review may have been deleted.
              </EmptyState>
            }
          >
            {(data) => <CasePage data={data} />}
          </QueryView>
        </div>
      </PersonalPage>
    </AreaGate>
  );
}

const formatMoment = (instant: string) => `${formatDay(instant, Date.now())}, ${formatTime(instant)}`;

function CasePage({ data }: { data: OutputOf<typeof moderationApi.getCase> }) {
  const { case: found, isForAnother, others, log } = data;
  const { rating, text, statement, findings, reason, outcome, decidedReason } = found;
  const booking = (
    <Link
      to="/admin/bookings/$bookingId"
      params={{ bookingId: found.bookingId }}
      className="text-primary underline underline-offset-4"
    >
      {found.lessonTitle}, {formatDay(found.lessonStart, Date.now())}
    </Link>
  );
  return (
    <>
      <RecordHeading
        title={describeCase(found)}
        status={outcome ? <Badge>{outcomeLabels[outcome]}</Badge> : <Badge tone="warning">Open</Badge>}
      />
      <RecordFacts
        amounts={[]}
        facts={[
          ['Coach', found.coachName],
          ['Customer', found.customerName],
          ['Lesson', booking],
          [outcome ? 'Decided' : 'Decide by', formatMoment(found.decidedAt ?? found.dueAt)],
          ['Decided by', found.decidedBy],
          ['Reason', decidedReason && removalReasons[decidedReason]],
        ]}
      />
      {text && (
        <section aria-label="Text" className="mb-6">
          {rating && <Stars rating={rating} />}
          <blockquote className="mt-2 border-l-2 pl-4 wrap-anywhere whitespace-pre-line">{text}</blockquote>
          {findings.length > 0 && (
            <ul className="mt-3 list-disc space-y-1 pl-5 text-sm">
              {findings.map((finding) => (
                <li key={finding}>{findingNames[finding]}</li>
              ))}
            </ul>
          )}
          {found.kind === 'check' && !outcome && (
            <p className="mt-3 text-sm text-muted-foreground">
              If nobody decides in time, we'll publish this text without what the checks found.
            </p>
          )}
        </section>
      )}
      {statement && (
        <section aria-label="Statement" className="mb-6 text-sm">
          <p className="font-medium">
            {found.openedBy ?? 'A visitor without an account'}
            {reason && `: ${removalReasons[reason]}`}
          </p>
          <p className="mt-1 wrap-anywhere whitespace-pre-line">{statement}</p>
        </section>
      )}
      {isForAnother && (
        <p className="rounded-lg border p-4 text-sm">
          {found.kind === 'appeal'
            ? 'You made the first decision, or you are involved in this case. Another admin will decide on the appeal.'
            : 'You are involved in this case. Another admin will decide on it.'}
        </p>
      )}
      {!outcome && !isForAnother && <DecideCase found={found} />}
      {others.length > 0 && <OtherCases cases={others} />}
      {log.length > 0 && (
        <Section title="History" className="mt-8">
          <ul aria-label="History" className="divide-y border-y text-sm">
            {log.map(({ at, about, action, reason: why }) => (
              <li key={at + action} className="flex flex-wrap justify-between gap-x-6 py-2">
                <span>
                  {about === 'reply' && 'Reply: '}
                  {actionLabels[action]}
                  {why && `: ${removalReasons[why]}`}
                </span>
                <span className="text-muted-foreground tabular-nums">{formatMoment(at)}</span>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

function OtherCases({ cases }: { cases: ReviewCase[] }) {
  return (
    <Section title="Other cases about this review" className="mt-8">
      <ul aria-label="Other cases" className="divide-y border-y text-sm">
        {cases.map((one) => (
          <li key={one.caseId} className="flex flex-wrap justify-between gap-x-6 py-2">
            <Link
              to="/admin/reviews/$caseId"
              params={{ caseId: one.caseId }}
              className="py-1 hover:underline"
            >
              {describeCase(one)}
              {one.statement && `: ${one.statement}`}
            </Link>
            <span className="text-muted-foreground">{one.outcome ? outcomeLabels[one.outcome] : 'Open'}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
