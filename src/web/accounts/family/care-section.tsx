import { Suspense } from 'react';
import type { Care, CareState } from '#domain/accounts/care.ts';
import { noteNames } from '#domain/accounts/care.ts';
import { type CareAnswer, careApi } from '#domain/accounts/care-contract.ts';
import { type Participant, participantsApi } from '#domain/accounts/participants-contract.ts';
import { formatDay } from '#domain/time.ts';
import { useApi } from '#web/app/api/api.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { Section } from '#web/ui/card.tsx';
import { lazyPart } from '#web/ui/lazy-part.ts';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { useDialogItem } from '#web/ui/overlay/dialog-item.ts';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.ts';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { Loading, Skeleton } from '#web/ui/page/skeleton.tsx';
import { OverlaySpinner } from '#web/ui/page/spinner.tsx';
import { noteKeys } from './care-values.ts';

const CareDialog = lazyPart(() => import('./care-dialog.tsx'), 'CareDialog');

/**
 * A participant's emergency contacts, collection details and notes. Guardians can read, change, confirm and
 * delete them.
 */
export function CareSection({ participant }: { participant: Participant }) {
  const { participantId, kind, careState } = participant;
  const query = useApi(careApi.getCare, { participantId });
  const editing = useDialogItem<null>();
  const edit = () => editing.open(null);
  const isGiven = careState !== 'missing';
  return (
    <Section
      title="Care details"
      description={
        kind === 'self'
          ? "Optional for you. The coach of a lesson that you book, and the owners and welfare officers of the coach's business, can see them from 7 days before the lesson until 24 hours after it."
          : "The coach of a booked lesson, and the owners and welfare officers of the coach's business, can see them from 7 days before the lesson until 24 hours after it."
      }
      actions={
        isGiven && (
          <Button variant="secondary" onClick={edit}>
            Change
          </Button>
        )
      }
    >
      <QueryView
        query={query}
        isPart
        failure="Failed to load the care details"
        skeleton={
          <Loading label="Loading the care details..." className="space-y-3">
            <Skeleton className="w-1/2" />
            <Skeleton className="w-2/3" />
            <Skeleton className="w-1/3" />
          </Loading>
        }
      >
        {(answer) =>
          answer.care ? (
            <CareDetails participant={participant} answer={{ ...answer, care: answer.care }} />
          ) : (
            <div className="flex flex-col items-start gap-4">
              <p className="text-sm">{describeMissing(participant)}</p>
              <Button variant={kind === 'self' ? 'secondary' : 'primary'} onClick={edit}>
                Add care details
              </Button>
            </div>
          )
        }
      </QueryView>
      {editing.openings > 0 && (
        <Suspense fallback={<OverlaySpinner />}>
          <CareDialog
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

const describeMissing = ({ kind, fullName }: Participant) =>
  kind === 'self'
    ? 'You can add someone to call in an emergency and anything your coaches should know.'
    : `Before you can book for ${fullName}, tell us who to call in an emergency, who will collect ${fullName} and what else the coach should know.`;

type CareDetailsProps = { participant: Participant; answer: CareAnswer & { care: Care } };

function CareDetails({ participant, answer: { care, confirmedAt, state } }: CareDetailsProps) {
  const { contacts, collection, notes } = care;
  const [isDeleting, deleting] = useDeletion(participant);
  return (
    <>
      <Freshness participant={participant} confirmedAt={confirmedAt} state={state} />
      <dl className="grid gap-x-4 gap-y-4 text-sm sm:grid-cols-[11rem_1fr] [&_dt]:text-muted-foreground sm:[&_dt]:pt-px">
        <dt>Emergency contacts</dt>
        <dd className="-mt-2 sm:mt-0">
          <ol className="space-y-1.5">
            {contacts.map(({ name, telephone, relation }) => (
              <li key={`${name} ${telephone}`} className="wrap-anywhere">
                <span className="font-medium">{name}</span> ({relation}),{' '}
                <span className="tabular-nums">{telephone}</span>
              </li>
            ))}
          </ol>
        </dd>
        {collection && (
          <>
            <dt>After the lesson</dt>
            <dd className="-mt-2 space-y-1.5 wrap-anywhere sm:mt-0">
              <p>{collection.mayLeaveAlone ? 'May leave without an adult' : 'Must be collected'}</p>
              {collection.collectors.length > 0 && <p>Collected by {collection.collectors.join(', ')}</p>}
              {collection.password && <p>Password: {collection.password}</p>}
            </dd>
          </>
        )}
        {notes ? (
          noteKeys.map((name) => (
            <div key={name} className="contents">
              <dt>{noteNames[name]}</dt>
              <dd className="-mt-2 whitespace-pre-line wrap-anywhere sm:mt-0">{notes[name]}</dd>
            </div>
          ))
        ) : (
          <>
            <dt>Notes</dt>
            <dd className="-mt-2 sm:mt-0">You'd rather not say.</dd>
          </>
        )}
      </dl>
      <Button variant="link" size="sm" className="mt-5" onClick={() => deleting.open(null)}>
        Delete care details
      </Button>
      {isDeleting}
    </>
  );
}

type FreshnessProps = { participant: Participant; confirmedAt: string | null; state: CareState };

/** When the details were last confirmed. If they are due for confirmation, asks whether they are still correct. */
function Freshness({ participant: { participantId, fullName, kind }, confirmedAt, state }: FreshnessProps) {
  const confirm = useApiMutation(careApi.confirmCare, {
    invalidates: [participantsApi.list, participantsApi.get, careApi.getCare],
    onSuccess: () => toastSuccess('Care details confirmed', fullName),
  });
  const day = confirmedAt && formatDay(confirmedAt, Date.now());
  if (state !== 'due') return <p className="mb-4 text-sm text-muted-foreground">Last confirmed on {day}</p>;
  return (
    <div className="mb-5 rounded-lg bg-warning-soft p-4">
      <p className="text-sm text-warning">
        You last confirmed these details on {day}.{' '}
        {kind === 'dependant' && `Please check them before the next booking for ${fullName}.`}
      </p>
      <Button
        variant="secondary"
        size="sm"
        className="mt-3"
        isLoading={confirm.isPending}
        loadingText="Confirming..."
        onClick={() => confirm.mutate({ participantId }, { onError: (error) => toastError(error.message) })}
      >
        They're still correct
      </Button>
    </div>
  );
}

function useDeletion({ participantId, fullName, kind }: Participant) {
  const asking = useDialogItem<null>();
  const remove = useApiMutation(careApi.deleteCare, {
    invalidates: [participantsApi.list, participantsApi.get, careApi.getCare],
    onSuccess: () => toastSuccess('Care details deleted', fullName),
  });
  const dialog = (
    <ConfirmDialog
      open={asking.isOpen}
      onOpenChange={asking.close}
      title="Delete these care details?"
      confirmLabel="Delete care details"
      cancelLabel="Keep them"
      isDestructive
      isPending={remove.isPending}
      pendingLabel="Deleting..."
      onConfirm={() =>
        remove.mutate(
          { participantId },
          { onError: (error) => toastError(error.message), onSettled: asking.close },
        )
      }
    >
      <p>
        Emergency contacts, collection details and notes will be deleted immediately, and coaches will no
        longer see them.
        {kind === 'dependant' && ` You can't book for ${fullName} until you add them again.`}
      </p>
    </ConfirmDialog>
  );
  return [dialog, asking] as const;
}
