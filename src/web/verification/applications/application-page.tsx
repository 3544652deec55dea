import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { nationNames } from '#domain/catalogue/nations.ts';
import { sports } from '#domain/sports.ts';
import { formatDay, formatTime } from '#domain/time.ts';
import { applicationStatuses, type CoachApplication } from '#domain/verification/application.ts';
import { applicationQueueApi } from '#domain/verification/applications-contract.ts';
import { useApi } from '#web/app/api/api.ts';
import { AreaGate } from '#web/app/auth/gates.tsx';
import { PersonalPage } from '#web/app/layout/area-layout.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { BackLink } from '#web/ui/page/back-link.tsx';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { RecordFacts, RecordHeading, RecordSkeleton } from '#web/ui/page/record-page.tsx';
import { DecideApplication } from './decide-application.tsx';
import { nameDecider } from './name-decider.ts';

/**
 * An application for the coach role, for admins: what the person wrote, what is missing, and the decision.
 */
export default function ApplicationScreen() {
  const { applicationId = '' } = useParams({ strict: false }) as { applicationId?: string };
  const found = useApi(applicationQueueApi.get, { applicationId }, { staleTime: 0 });
  return (
    <AreaGate area="admin">
      <PersonalPage>
        <div className="max-w-3xl">
          <BackLink to="/admin/panel" search={{ tab: 'applications' }}>
            Applications
          </BackLink>
          <QueryView
            query={found}
            isPart
            failure="Failed to load the application"
            skeleton={<RecordSkeleton label="Loading the application..." />}
            missing={
              <EmptyState titleAs="h1" title="Application not found">
                The person may have deleted their account.
              </EmptyState>
            }
          >
            {({ application }) => <Application application={application} />}
          </QueryView>
        </div>
      </PersonalPage>
    </AreaGate>
  );
}

const formatMoment = (instant: string) => `${formatDay(instant, Date.now())}, ${formatTime(instant)}`;

function Application({ application }: { application: CoachApplication }) {
  const { userId, fullName, email, status, missing, businessNames, decidedAt } = application;
  const isWaiting = status === 'submitted';
  return (
    <>
      <RecordHeading
        title={fullName || email}
        status={<Badge tone={isWaiting ? 'warning' : 'neutral'}>{applicationStatuses[status]}</Badge>}
      />
      <RecordFacts
        amounts={[]}
        facts={[
          ['Email', email],
          ['Submitted', application.submittedAt && formatMoment(application.submittedAt)],
          ['Invited by', businessNames.join(', ')],
          ['Decided', !isWaiting && decidedAt && formatMoment(decidedAt)],
          ['Decided by', !isWaiting && decidedAt && nameDecider(application)],
        ]}
      />
      {isWaiting && missing.length > 0 && (
        <section aria-labelledby="missing" className="mb-8 rounded-lg border bg-warning-soft p-4 text-sm">
          <h2 id="missing" className="text-base">
            Still missing
          </h2>
          <ul className="mt-2 list-disc space-y-1 pl-5">
            {missing.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
          <p className="mt-2">You can still approve. New coaches can submit their documents afterwards.</p>
        </section>
      )}
      <dl className="mb-8 space-y-5">
        <Answer name="Headline">{application.headline}</Answer>
        <Answer name="About the coach">{application.bio}</Answer>
        <Answer name="Sports">{application.sports.map((sport) => sports[sport]).join(', ')}</Answer>
        <Answer name="Nations">{application.nations.map((nation) => nationNames[nation]).join(', ')}</Answer>
        <Answer name="Experience and qualifications">{application.experience}</Answer>
        <Answer name="People under 18">
          {application.coachesJuniors ? 'Will coach people under 18' : 'Will only coach adults'}
        </Answer>
        {!isWaiting && application.decisionMessage && (
          <Answer name="Our message">{application.decisionMessage}</Answer>
        )}
      </dl>
      {isWaiting && <DecideApplication application={application} />}
      {status === 'approved' && (
        <Button asChild variant="secondary">
          <Link to="/admin/coaches/$coachId" params={{ coachId: userId }}>
            View their checks
          </Link>
        </Button>
      )}
    </>
  );
}

function Answer({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-muted-foreground">{name}</dt>
      <dd className="mt-1 max-w-reading wrap-anywhere whitespace-pre-line">{children || '—'}</dd>
    </div>
  );
}
