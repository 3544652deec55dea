import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { moderationApi, type ReviewCase } from '#domain/reviews/moderation-contract.ts';
import { formatDay } from '#domain/time.ts';
import { usePages } from '#web/app/api/use-pages.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Section } from '#web/ui/card.tsx';
import { SegmentedControl } from '#web/ui/form/segmented-control.tsx';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { PagedList } from '#web/ui/page/paged-list.tsx';
import { SkeletonRows } from '#web/ui/page/skeleton.tsx';
import { describeCase, outcomeLabels } from './review-labels.ts';

const states = [
  { value: 'open', label: 'Open' },
  { value: 'decided', label: 'Decided' },
] as const;

/** Cases about reviews: open ones, oldest first, and decided ones, latest decision first. */
export function ReviewCases() {
  const [state, setState] = useState<'open' | 'decided'>('open');
  const found = usePages(moderationApi.listCases, { state }, (page) => page.cases);
  return (
    <Section
      title="Reviews"
      description="Reports, appeals, contested absences, and texts held by the checks. Our rules promise a decision within five working days."
      actions={<SegmentedControl label="Cases" value={state} onValueChange={setState} options={states} />}
    >
      <PagedList
        found={found}
        failure="Failed to load reviews"
        skeleton={<SkeletonRows label="Loading reviews..." />}
        more="Show more cases"
        empty={
          <EmptyState title={state === 'open' ? 'Nothing to decide' : 'No decisions yet'}>
            Cases about reviews will appear here.
          </EmptyState>
        }
      >
        {(cases) => (
          <ul aria-label={state === 'open' ? 'Open cases' : 'Decided cases'} className="divide-y border-y">
            {cases.map((one) => (
              <CaseRow key={one.caseId} found={one} />
            ))}
          </ul>
        )}
      </PagedList>
    </Section>
  );
}

function CaseRow({ found }: { found: ReviewCase }) {
  const { caseId, coachName, customerName, text, statement, dueAt, outcome, decidedAt } = found;
  const now = Date.now();
  const isLate = !outcome && Date.parse(dueAt) < now;
  return (
    <li className="relative flex flex-wrap items-start justify-between gap-x-6 gap-y-2 py-4 hover:bg-muted/60">
      <div className="min-w-0 grow basis-72">
        <p className="flex flex-wrap items-center gap-2">
          <Link
            to="/admin/reviews/$caseId"
            params={{ caseId }}
            className="font-medium before:absolute before:inset-0 hover:underline"
          >
            {describeCase(found)}
          </Link>
          {isLate && <Badge tone="destructive">Overdue</Badge>}
          {outcome && <Badge>{outcomeLabels[outcome]}</Badge>}
        </p>
        <p className="mt-1 text-sm text-muted-foreground">
          {customerName} about {coachName}
        </p>
        <p className="mt-1 line-clamp-2 text-sm wrap-anywhere">{text ?? statement}</p>
      </div>
      <p className="text-sm text-muted-foreground tabular-nums">
        {decidedAt ? `Decided ${formatDay(decidedAt, now)}` : `Decide by ${formatDay(dueAt, now)}`}
      </p>
    </li>
  );
}
