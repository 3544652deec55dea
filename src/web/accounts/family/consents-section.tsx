import { useState } from 'react';
import { careApi } from '#domain/accounts/care-contract.ts';
import {
  type ConsentChoice,
  type ConsentKind,
  consentTexts,
  describeChoice,
} from '#domain/accounts/consents.ts';
import { type Participant, participantsApi } from '#domain/accounts/participants-contract.ts';
import { formatDay, formatTime } from '#domain/time.ts';
import { useApi } from '#web/app/api/api.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { Section } from '#web/ui/card.tsx';
import { RadioGroup } from '#web/ui/form/radio-group.tsx';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { useDialogItem } from '#web/ui/overlay/dialog-item.ts';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.ts';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { Skeleton } from '#web/ui/page/skeleton.tsx';

/**
 * A participant's consents: choices about photos and first aid, the medical consent with a button to withdraw
 * it, and the history of all of them.
 */
export function ConsentsSection({ participant }: { participant: Participant }) {
  const { participantId, fullName, consents } = participant;
  const withdrawing = useDialogItem<null>();
  const medical = useConsent(participant, 'medical');
  return (
    <Section
      title="Consents"
      description="You can change your mind at any time. A change applies to registers opened from then on. If you allow less, we'll notify the coaches of upcoming lessons."
    >
      <div className="space-y-6">
        <ConsentChoices participant={participant} kind="photos" value={consents.photos} />
        <ConsentChoices participant={participant} kind="first_aid" value={consents.firstAid} />
        <div>
          <h3 className="text-base">{consentTexts.medical.title}</h3>
          {consents.medical === 'yes' ? (
            <>
              <p className="mt-1 max-w-reading text-sm text-muted-foreground">{consentTexts.medical.text}</p>
              <Button variant="secondary" className="mt-3" onClick={() => withdrawing.open(null)}>
                Withdraw
              </Button>
            </>
          ) : (
            <p className="mt-1 text-sm text-muted-foreground">
              {consents.medical === 'no' ? 'Withdrawn.' : 'Not given.'} We ask for it when you enter notes in
              the care details.
            </p>
          )}
        </div>
        <ConsentHistory participantId={participantId} />
      </div>
      <ConfirmDialog
        open={withdrawing.isOpen}
        onOpenChange={withdrawing.close}
        title="Withdraw your consent?"
        confirmLabel="Withdraw"
        cancelLabel="Keep it"
        isDestructive
        isPending={medical.choiceInProgress !== null}
        pendingLabel="Withdrawing..."
        onConfirm={() => medical.choose('no', withdrawing.close)}
      >
        <p>
          The notes about {fullName}'s health and needs will be deleted immediately, and coaches will no
          longer see them. Emergency contacts stay.
        </p>
      </ConfirmDialog>
    </Section>
  );
}

/**
 * Saves a choice about one kind of consent. Each kind has its own mutation, so that two choices in quick succession
 * both show their state and failure. A shared queue keeps their order.
 */
function useConsent({ participantId, fullName }: Participant, kind: ConsentKind) {
  const give = useApiMutation(careApi.giveConsent, {
    queue: 'consents',
    invalidates: [participantsApi.list, participantsApi.get, careApi.listConsents, careApi.getCare],
    onSuccess: () => toastSuccess('Your choice has been recorded', fullName),
  });
  // Set as soon as a choice is pressed. If the value changed only after saving, the radio button would show the old
  // choice until then.
  const [choiceInProgress, setChoiceInProgress] = useState<ConsentChoice | null>(null);
  function choose(choice: ConsentChoice, onSettled?: () => void): void {
    setChoiceInProgress(choice);
    give.mutate(
      { participantId, kind, choice, textVersion: consentTexts[kind].version },
      {
        onError: (error) => toastError(error.message),
        onSettled: () => {
          setChoiceInProgress(null);
          onSettled?.();
        },
      },
    );
  }
  return { choiceInProgress, choose };
}

type ConsentChoicesProps = {
  participant: Participant;
  kind: Exclude<ConsentKind, 'medical'>;
  /** The saved choice; null if there is none. */
  value: string | null;
};

function ConsentChoices({ participant, kind, value }: ConsentChoicesProps) {
  const { title, text, choices } = consentTexts[kind];
  const { choiceInProgress, choose } = useConsent(participant, kind);
  return (
    <div>
      <h3 className="text-base">{title}</h3>
      <p className="mt-1 mb-3 text-sm text-muted-foreground">{text}</p>
      <RadioGroup<string>
        label={title}
        value={choiceInProgress ?? value}
        onValueChange={(choice) => choose(choice as ConsentChoice)}
        options={Object.entries(choices).map(([choice, label]) => ({ value: choice, label }))}
      />
    </div>
  );
}

function ConsentHistory({ participantId }: { participantId: string }) {
  const query = useApi(careApi.listConsents, { participantId });
  return (
    <details className="group">
      <summary className="flex min-h-11 w-fit cursor-pointer items-center gap-2 text-sm font-medium [&::-webkit-details-marker]:hidden">
        <span aria-hidden className="text-muted-foreground transition-transform group-open:rotate-90">
          ›
        </span>
        History
      </summary>
      <QueryView
        query={query}
        isPart
        failure="Failed to load the history"
        skeleton={<Skeleton className="h-10 w-full" />}
        isEmpty={({ consents }) => consents.length === 0}
        empty={<p className="text-sm text-muted-foreground">Nothing has been chosen yet.</p>}
      >
        {({ consents }) => (
          <ol className="divide-y border-y text-sm">
            {consents.map((consent) => (
              <li
                key={`${consent.at} ${consent.kind}`}
                className="flex flex-wrap justify-between gap-x-6 gap-y-0.5 py-3"
              >
                <span className="min-w-0 grow basis-64">
                  <span className="font-medium">{consentTexts[consent.kind].title}:</span>{' '}
                  {describeChoice(consent.kind, consent.choice)}
                </span>
                <span className="text-muted-foreground tabular-nums">
                  {consent.givenByName}, {formatDay(consent.at, Date.now())}, {formatTime(consent.at)}
                </span>
              </li>
            ))}
          </ol>
        )}
      </QueryView>
    </details>
  );
}
