import { Link, useNavigate } from '@tanstack/react-router';
import ChevronRight from 'lucide-react/icons/chevron-right';
import Plus from 'lucide-react/icons/plus';
import { Suspense } from 'react';
import { maxParticipants, nicknameOf } from '#domain/accounts/participants.ts';
import { type Participant, participantsApi } from '#domain/accounts/participants-contract.ts';
import { useApi } from '#web/app/api/api.ts';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { PersonalPage } from '#web/app/layout/area-layout.tsx';
import { AccessDenied } from '#web/app/layout/not-shown.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { lazyPart } from '#web/ui/lazy-part.ts';
import { useDialogItem } from '#web/ui/overlay/dialog-item.ts';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { SkeletonRows } from '#web/ui/page/skeleton.tsx';
import { OverlaySpinner, PageSpinner } from '#web/ui/page/spinner.tsx';
import { StatusDot } from '#web/ui/status-dot.tsx';
import { ageToday, careLabels, describeUpcoming } from './participant-text.ts';

const AddParticipantDialog = lazyPart(() => import('./add-participant-dialog.tsx'), 'AddParticipantDialog');

/** The people that the signed-in person books for: themselves, children and other dependants. */
export default function MyFamilyScreen() {
  const { user, loading } = useAuth();
  if (loading) return <PageSpinner />;
  if (!user) return <AccessDenied message="Please sign in to see your family." />;
  return (
    <PersonalPage isOfCustomer>
      <Family />
    </PersonalPage>
  );
}

function Family() {
  const query = useApi(participantsApi.list, {});
  const navigate = useNavigate();
  const adding = useDialogItem<null>();
  const participants = query.data?.participants ?? [];
  const isFull = participants.length >= maxParticipants;
  const addButton = (
    <Button onClick={() => adding.open(null)}>
      <Plus aria-hidden />
      Add someone
    </Button>
  );
  return (
    <div className="w-full max-w-2xl">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <h1>My family</h1>
        {participants.length > 1 && !isFull && addButton}
      </div>
      <p className="mb-6 max-w-reading text-muted-foreground">
        Book lessons for your children and for other people you look after.
        {isFull && ` You can book for up to ${maxParticipants} people.`}
      </p>
      <QueryView
        query={query}
        failure="Failed to load your family"
        skeleton={<SkeletonRows label="Loading your family..." count={2} />}
      >
        {() => (
          <>
            <ul className="divide-y border-y">
              {participants.map((participant) => (
                <ParticipantRow key={participant.participantId} participant={participant} />
              ))}
            </ul>
            {participants.length <= 1 && (
              <EmptyState title="Nobody else yet" action={addButton}>
                Add a child or someone else you look after, with someone to call in an emergency and anything
                the coach should know.
              </EmptyState>
            )}
          </>
        )}
      </QueryView>
      {adding.openings > 0 && (
        <Suspense fallback={<OverlaySpinner />}>
          <AddParticipantDialog
            key={adding.openings}
            isOpen={adding.isOpen}
            onClose={adding.close}
            onAdded={({ participantId }) =>
              void navigate({ to: '/account/family/$participantId', params: { participantId } })
            }
          />
        </Suspense>
      )}
    </div>
  );
}

function ParticipantRow({ participant }: { participant: Participant }) {
  const { participantId, kind, fullName, careState } = participant;
  const isSelf = kind === 'self';
  const nickname = isSelf ? null : nicknameOf(participant);
  const age = ageToday(participant);
  const facts = [age !== null && `Age ${age}`, describeUpcoming(participant)].filter(Boolean);
  return (
    <li className="relative flex items-center gap-4 py-4 hover:bg-muted/60 max-md:-mx-4 max-md:px-4 md:-mx-3 md:px-3">
      <Avatar name={fullName} />
      <div className="min-w-0 grow">
        <h2 className="text-base leading-snug font-medium wrap-anywhere">
          <Link
            to="/account/family/$participantId"
            params={{ participantId }}
            className="before:absolute before:inset-0 hover:underline"
          >
            {fullName}
          </Link>
          {isSelf && <span className="text-muted-foreground"> (you)</span>}
          {nickname && <span className="font-normal text-muted-foreground"> “{nickname}”</span>}
        </h2>
        <p className="mt-0.5 text-sm text-muted-foreground">{facts.join(' · ')}</p>
        {!isSelf && (
          <p className="mt-1">
            <StatusDot {...careLabels[careState]} />
          </p>
        )}
      </div>
      <ChevronRight aria-hidden className="size-4 shrink-0 text-muted-foreground" />
    </li>
  );
}
