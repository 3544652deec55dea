import { Link, useParams } from '@tanstack/react-router';
import { wallTimeOf } from '#domain/time.ts';
import { checksApi } from '#domain/verification/checks-contract.ts';
import type { TrustFile } from '#domain/verification/documents-contract.ts';
import { useApi } from '#web/app/api/api.ts';
import { AreaGate } from '#web/app/auth/gates.tsx';
import { PersonalPage } from '#web/app/layout/area-layout.tsx';
import { Button } from '#web/ui/button.tsx';
import { BackLink } from '#web/ui/page/back-link.tsx';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { RecordFacts, RecordHeading, RecordSkeleton } from '#web/ui/page/record-page.tsx';
import { StatusDot } from '#web/ui/status-dot.tsx';
import { formatDate, listKinds, missingKinds } from '../check-text.ts';
import { CheckedKind } from './checked-kind.tsx';

/** A coach's checks and documents for admins: what is missing, the files, and the decisions. */
export default function CoachChecksScreen() {
  const { coachId = '' } = useParams({ strict: false }) as { coachId?: string };
  const found = useApi(checksApi.getCoach, { coachId });
  return (
    <AreaGate area="admin">
      <PersonalPage>
        <BackLink to="/admin/panel" search={{ tab: 'verification' }}>
          Checks
        </BackLink>
        <QueryView
          query={found}
          failure="Failed to load the coach's checks"
          skeleton={<RecordSkeleton label="Loading the coach's checks..." />}
          missing={
            <EmptyState
              titleAs="h1"
              title="Coach not found"
              action={
                <Button asChild variant="secondary">
                  <Link to="/admin/panel" search={{ tab: 'verification' }}>
                    All coaches
                  </Link>
                </Button>
              }
            >
              There is no coach at this address.
            </EmptyState>
          }
        >
          {({ trustFile }) => <CoachFile file={trustFile} />}
        </QueryView>
      </PersonalPage>
    </AreaGate>
  );
}

function CoachFile({ file }: { file: TrustFile }) {
  const { coachName, isListed, listedUntil, teachesMinors, canTeachMinors, consent, uncoveredLessons } = file;
  const missing = missingKinds(file);
  return (
    <>
      <RecordHeading
        title={`${coachName}: checks`}
        status={
          <StatusDot
            tone={isListed ? 'success' : 'destructive'}
            label={isListed ? 'Can be found and booked' : 'Hidden'}
          />
        }
      />
      <RecordFacts
        amounts={[]}
        facts={[
          ['Missing', missing.length > 0 && listKinds(missing)],
          ['Listed until', isListed && listedUntil && formatDate(listedUntil)],
          [
            'Under-18s',
            teachesMinors
              ? canTeachMinors
                ? 'Can book'
                : "Can't book until the right checks are in place"
              : 'No template is open to them',
          ],
          [
            'DBS Update Service',
            consent ? `Agreed on ${formatDate(consent.givenAt.slice(0, 10))}` : 'No consent',
          ],
          [
            'Booked lessons not covered',
            uncoveredLessons > 0 && `${uncoveredLessons} (still booked; the coach can see the list)`,
          ],
        ]}
      />
      {file.kinds.map((state) => (
        <CheckedKind key={state.kind} state={state} file={file} today={wallTimeOf(Date.now()).date} />
      ))}
    </>
  );
}
