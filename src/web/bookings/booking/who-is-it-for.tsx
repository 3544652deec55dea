import { Suspense } from 'react';
import { nameParticipant } from '#domain/accounts/participants.ts';
import type { Participant } from '#domain/accounts/participants-contract.ts';
import type { HeldSlot } from '#domain/bookings/contract.ts';
import { maxBookingsPerPayment } from '#domain/bookings/rules.ts';
import { describeAges } from '#domain/catalogue/age-text.ts';
import { countedAge, hasAgeRange, isWithinAges } from '#domain/catalogue/ages.ts';
import type { OpenSlot } from '#domain/catalogue/slots-contract.ts';
import { Button } from '#web/ui/button.tsx';
import { CheckboxGroup } from '#web/ui/form/checkbox-group.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { lazyPart } from '#web/ui/lazy-part.ts';
import { useDialogItem } from '#web/ui/overlay/dialog-item.ts';
import { OverlaySpinner } from '#web/ui/page/spinner.tsx';

const AddParticipantDialog = lazyPart(
  () => import('#web/accounts/family/add-participant-dialog.tsx'),
  'AddParticipantDialog',
);

type WhoIsItForProps = {
  slot: OpenSlot;
  /** The customer first, then the dependants. */
  participants: Participant[];
  /** The seats that the family already has in this lesson. */
  held: HeldSlot[];
  chosenIds: string[];
  error: string | undefined;
  /** True while a booking is being made. */
  isBusy: boolean;
  onChoose: (participantIds: string[]) => void;
};

/**
 * Lets the customer choose the participants of a lesson. Without dependants there is nothing to choose, only a button
 * to add the first one.
 */
export function WhoIsItFor({
  slot,
  participants,
  held,
  chosenIds,
  error,
  isBusy,
  onChoose,
}: WhoIsItForProps) {
  const limit = findLimit(slot, participants, held, chosenIds);
  const adding = useDialogItem<null>();
  const isAlone = participants.length <= 1;
  return (
    <div>
      {!isAlone && (
        <FormField label="Who is it for?" isGroup error={error}>
          <CheckboxGroup
            value={chosenIds}
            onValueChange={onChoose}
            options={participants.map((participant) => {
              const { participantId, kind, fullName } = participant;
              const isLeftOver =
                limit !== null && !chosenIds.includes(participantId) && !heldBy(participant, held);
              return {
                value: participantId,
                label: kind === 'self' ? 'Me' : fullName,
                hint: isLeftOver ? limit : describeChoice(participant, slot, held),
                isDisabled: isBusy || isLeftOver || isBooked(participant, held),
              };
            })}
          />
        </FormField>
      )}
      <Button
        variant="link"
        size="sm"
        className={isAlone ? undefined : 'mt-3'}
        disabled={isBusy}
        onClick={() => adding.open(null)}
      >
        {isAlone ? 'Book for a child or someone else' : 'Add someone'}
      </Button>
      {adding.openings > 0 && (
        <Suspense fallback={<OverlaySpinner />}>
          <AddParticipantDialog
            key={adding.openings}
            isOpen={adding.isOpen}
            onClose={adding.close}
            onAdded={({ participantId }) => onChoose([...(isAlone ? [] : chosenIds), participantId])}
          />
        </Suspense>
      )}
    </div>
  );
}

export const heldBy = ({ participantId }: Pick<Participant, 'participantId'>, held: HeldSlot[]) =>
  held.find((seat) => seat.participantId === participantId);

export const isBooked = (participant: Participant, held: HeldSlot[]): boolean =>
  heldBy(participant, held)?.status === 'booked';

/**
 * Why nobody else can be chosen; null if someone can. One payment books up to six seats; people who hold a seat don't
 * need another.
 */
function findLimit(
  { maxCapacity, bookedCount }: OpenSlot,
  participants: Participant[],
  held: HeldSlot[],
  chosenIds: string[],
): string | null {
  const chosen = participants.filter(({ participantId }) => chosenIds.includes(participantId));
  const needed = chosen.filter((participant) => !heldBy(participant, held)).length;
  if (maxCapacity - bookedCount - needed < 1) return 'No places left';
  if (chosen.length < maxBookingsPerPayment) return null;
  return `One payment can book up to ${maxBookingsPerPayment} places.`;
}

/** The hint below a participant's name in the list of choices. */
function describeChoice(participant: Participant, slot: OpenSlot, held: HeldSlot[]): string | undefined {
  const { kind, dateOfBirth, careState } = participant;
  const seat = heldBy(participant, held);
  if (seat) return seat.status === 'booked' ? 'Already booked' : 'Waiting for payment';
  const isRanged = hasAgeRange(slot);
  if (!dateOfBirth) return isRanged ? 'Date of birth needed' : undefined;
  const age = countedAge(dateOfBirth, slot);
  if (isRanged && !isWithinAges(age, slot))
    return `Age ${age}. This lesson is for ages ${describeAges(slot)}.`;
  if (kind === 'self') return undefined;
  const care = { missing: ' · Care details needed', due: ' · Care details to check', confirmed: '' }[
    careState
  ];
  return `Age ${age}${care}`;
}

/** Says who is booked: "You're booked", "Mia is booked", "You and Mia are booked". */
export function describeBooked(booked: Participant[]): string {
  const names = booked.map((participant) =>
    participant.kind === 'self' ? 'You' : nameParticipant(participant),
  );
  if (names.length === 0 || names.join() === 'You') return "You're booked";
  const last = names.at(-1)!;
  return names.length === 1 ? `${last} is booked` : `${names.slice(0, -1).join(', ')} and ${last} are booked`;
}
