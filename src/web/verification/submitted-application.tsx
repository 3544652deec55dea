import type { ReactNode } from 'react';
import { nationNames } from '#domain/catalogue/nations.ts';
import { sports } from '#domain/sports.ts';
import { formatDay } from '#domain/time.ts';
import type { OwnApplication } from '#domain/verification/application.ts';
import { Badge } from '#web/ui/badge.tsx';
import { WithdrawApplication } from './withdraw-application.tsx';

/** A submitted application: when it was submitted, what happens next, and what it says. */
export function SubmittedApplication({ application }: { application: OwnApplication }) {
  const { submittedAt, headline, bio, experience, coachesJuniors } = application;
  return (
    <div className="w-full max-w-reading">
      <h1>Become a coach</h1>
      <p className="mt-3">
        <Badge tone="neutral">Submitted</Badge>
      </p>
      <p className="mt-4" role="status">
        We received your application on {formatDay(submittedAt!, Date.now())} and are reading it. We'll email
        you when we've decided, and this page will update.
      </p>
      <dl className="mt-6 space-y-5 border-y py-6">
        <Answer name="Headline">{headline}</Answer>
        <Answer name="About you">{bio}</Answer>
        <Answer name="Sports">{application.sports.map((sport) => sports[sport]).join(', ')}</Answer>
        <Answer name="Nations">{application.nations.map((nation) => nationNames[nation]).join(', ')}</Answer>
        <Answer name="Experience and qualifications">{experience}</Answer>
        <Answer name="People under 18">
          {coachesJuniors ? 'You will coach people under 18.' : 'You will only coach adults.'}
        </Answer>
      </dl>
      <div className="mt-4 -ml-4">
        <WithdrawApplication />
      </div>
    </div>
  );
}

function Answer({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-muted-foreground">{name}</dt>
      <dd className="mt-1 wrap-anywhere whitespace-pre-line">{children}</dd>
    </div>
  );
}
