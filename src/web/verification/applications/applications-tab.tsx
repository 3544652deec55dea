import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { sports } from '#domain/sports.ts';
import { formatDay } from '#domain/time.ts';
import { applicationStatuses, type CoachApplication } from '#domain/verification/application.ts';
import { applicationQueueApi } from '#domain/verification/applications-contract.ts';
import { usePages } from '#web/app/api/use-pages.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Section } from '#web/ui/card.tsx';
import { SegmentedControl } from '#web/ui/form/segmented-control.tsx';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { PagedList } from '#web/ui/page/paged-list.tsx';
import { SkeletonRows } from '#web/ui/page/skeleton.tsx';

const states = [
  { value: 'waiting', label: 'Waiting' },
  { value: 'decided', label: 'Decided' },
] as const;

/** Applications for the coach role: the waiting ones, oldest first, and the decided ones, newest first. */
export function ApplicationsTab() {
  const [state, setState] = useState<'waiting' | 'decided'>('waiting');
  const found = usePages(applicationQueueApi.list, { state }, (page) => page.applications);
  return (
    <Section
      title="Applications"
      description="From people who want to become coaches."
      actions={
        <SegmentedControl label="Applications" value={state} onValueChange={setState} options={states} />
      }
    >
      <PagedList
        found={found}
        failure="Failed to load the applications"
        skeleton={<SkeletonRows label="Loading applications..." />}
        more="Show more applications"
        empty={
          <EmptyState title={state === 'waiting' ? 'Nobody is waiting' : 'No decisions yet'}>
            {state === 'waiting'
              ? 'Applications that people submit will appear here.'
              : 'Approved and declined applications will appear here.'}
          </EmptyState>
        }
      >
        {(applications) => (
          <ul
            aria-label={state === 'waiting' ? 'Waiting applications' : 'Decided applications'}
            className="divide-y border-y"
          >
            {applications.map((application) => (
              <ApplicationRow key={application.applicationId} application={application} />
            ))}
          </ul>
        )}
      </PagedList>
    </Section>
  );
}

function ApplicationRow({ application }: { application: CoachApplication }) {
  const { applicationId, fullName, email, headline, status, missing, submittedAt, decidedAt } = application;
  const now = Date.now();
  const taught = application.sports.map((sport) => sports[sport]).join(', ');
  return (
    <li className="relative flex flex-wrap items-start justify-between gap-x-6 gap-y-1 py-4 hover:bg-muted/60">
      <div className="min-w-0 grow basis-72">
        <p className="flex flex-wrap items-center gap-2">
          <Link
            to="/admin/applications/$applicationId"
            params={{ applicationId }}
            className="font-medium before:absolute before:inset-0 hover:underline"
          >
            {fullName || email}
          </Link>
          {status !== 'submitted' && <Badge>{applicationStatuses[status]}</Badge>}
        </p>
        <p className="mt-1 text-sm text-muted-foreground wrap-anywhere">
          {[headline, taught].filter(Boolean).join(' · ')}
        </p>
        {status === 'submitted' && missing.length > 0 && (
          <p className="mt-1 text-sm text-warning">{missing.join(' · ')}</p>
        )}
      </div>
      <p className="text-sm text-muted-foreground tabular-nums">
        {status === 'submitted' || !decidedAt
          ? `Submitted ${formatDay(submittedAt!, now)}`
          : `Decided ${formatDay(decidedAt, now)}`}
      </p>
    </li>
  );
}
