import { Link, useParams } from '@tanstack/react-router';
import Search from 'lucide-react/icons/search';
import TrendingUp from 'lucide-react/icons/trending-up';
import { Suspense } from 'react';
import { nameParticipant, relationNames } from '#domain/accounts/participants.ts';
import {
  type GuardianInvitation,
  type Participant,
  participantsApi,
} from '#domain/accounts/participants-contract.ts';
import { CareReadsSection } from '#web/accounts/family/care-reads-section.tsx';
import { CareSection } from '#web/accounts/family/care-section.tsx';
import { ConsentsSection } from '#web/accounts/family/consents-section.tsx';
import { GuardiansSection } from '#web/accounts/family/guardians-section.tsx';
import { ageToday, describeUpcoming, formatBirthDate } from '#web/accounts/family/participant-text.ts';
import { useApi } from '#web/app/api/api.ts';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { PersonalPage } from '#web/app/layout/area-layout.tsx';
import { AccessDenied } from '#web/app/layout/not-shown.tsx';
import { Button } from '#web/ui/button.tsx';
import { Section } from '#web/ui/card.tsx';
import { lazyPart } from '#web/ui/lazy-part.ts';
import { useDialogItem } from '#web/ui/overlay/dialog-item.ts';
import { BackLink } from '#web/ui/page/back-link.tsx';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { Loading, Skeleton } from '#web/ui/page/skeleton.tsx';
import { OverlaySpinner, PageSpinner } from '#web/ui/page/spinner.tsx';
import { DependantData } from './dependant-data.tsx';
import { EndGuardianship } from './end-guardianship.tsx';

const EditParticipantDialog = lazyPart(
  () => import('#web/accounts/family/edit-participant-dialog.tsx'),
  'EditParticipantDialog',
);

/**
 * The page of one family member: details, care details, consents, guardians, who has opened the care details,
 * data and deletion.
 */
export default function ParticipantScreen() {
  const { user, loading } = useAuth();
  if (loading) return <PageSpinner />;
  if (!user) return <AccessDenied message="Please sign in to see your family." />;
  return (
    <PersonalPage isOfCustomer>
      <ParticipantPage />
    </PersonalPage>
  );
}

function ParticipantPage() {
  const { participantId } = useParams({ from: '/account/family/$participantId' });
  const query = useApi(participantsApi.get, { participantId });
  return (
    <div className="w-full max-w-2xl">
      <BackLink to="/account/family">My family</BackLink>
      <QueryView
        query={query}
        failure="Failed to load this person"
        skeleton={
          <Loading label="Loading..." className="mt-6 space-y-4">
            <Skeleton className="h-8 w-3/5" />
            <Skeleton className="w-2/5" />
            <Skeleton className="h-40 w-full" />
          </Loading>
        }
        missing={
          <EmptyState
            titleAs="h1"
            title="Not in your family list"
            action={
              <Button asChild variant="secondary">
                <Link to="/account/family">My family</Link>
              </Button>
            }
          >
            Someone may have deleted the entry, or it belongs to another account.
          </EmptyState>
        }
      >
        {({ participant, invitations }) => (
          <ParticipantDetails key={participantId} participant={participant} invitations={invitations} />
        )}
      </QueryView>
    </div>
  );
}

type ParticipantDetailsProps = { participant: Participant; invitations: GuardianInvitation[] };

function ParticipantDetails({ participant, invitations }: ParticipantDetailsProps) {
  const { kind, fullName, dateOfBirth, participantId } = participant;
  const isSelf = kind === 'self';
  return (
    <>
      <div className="mt-3 mb-8 flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
        <div className="min-w-0">
          <h1 className="wrap-anywhere">{isSelf ? 'You' : fullName}</h1>
          <p className="mt-2 text-muted-foreground">{describeUpcoming(participant)}</p>
        </div>
        <div className="flex flex-wrap gap-3 max-sm:w-full">
          <Button asChild variant="secondary" className="max-sm:w-full">
            <Link to="/account/family/$participantId/progress" params={{ participantId }}>
              <TrendingUp aria-hidden />
              Progress
            </Link>
          </Button>
          {!isSelf && dateOfBirth && (
            <Button asChild className="max-sm:w-full">
              <Link to="/customer/discover" search={{ born: dateOfBirth.slice(0, 7) }}>
                <Search aria-hidden />
                Find a lesson
              </Link>
            </Button>
          )}
        </div>
      </div>
      <Details participant={participant} />
      <CareSection participant={participant} />
      <ConsentsSection participant={participant} />
      {!isSelf && <GuardiansSection participant={participant} invitations={invitations} />}
      <CareReadsSection participantId={participantId} />
      {!isSelf && <DependantData participant={participant} />}
      {!isSelf && <EndGuardianship participant={participant} />}
    </>
  );
}

function Details({ participant }: { participant: Participant }) {
  const { kind, fullName, dateOfBirth, relation } = participant;
  const editing = useDialogItem<null>();
  const age = ageToday(participant);
  const rows: [string, string][] = [
    ['Full name', fullName],
    ['Known as', nameParticipant(participant)],
    [
      'Date of birth',
      dateOfBirth ? `${formatBirthDate(dateOfBirth)} (age ${age})` : 'Not given. Some lessons need it.',
    ],
    ...(relation ? [['Your relationship', relationNames[relation]] as [string, string]] : []),
  ];
  return (
    <Section
      title="Details"
      description={
        kind === 'self'
          ? undefined
          : 'Coaches see the name and the age on the day of the lesson, but not the date of birth.'
      }
      actions={
        <Button variant="secondary" onClick={() => editing.open(null)}>
          Change
        </Button>
      }
    >
      <dl className="grid grid-cols-[7rem_1fr] gap-x-4 gap-y-3 text-sm sm:grid-cols-[11rem_1fr]">
        {rows.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted-foreground">{name}</dt>
            <dd className="wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
      {editing.openings > 0 && (
        <Suspense fallback={<OverlaySpinner />}>
          <EditParticipantDialog
            key={editing.openings}
            participant={participant}
            isOpen={editing.isOpen}
            onClose={editing.close}
          />
        </Suspense>
      )}
    </Section>
  );
}
