import { Suspense } from 'react';
import { refuseWithoutCare } from '#domain/accounts/care.ts';
import { nameParticipant } from '#domain/accounts/participants.ts';
import type { Participant } from '#domain/accounts/participants-contract.ts';
import { describeAges } from '#domain/catalogue/age-text.ts';
import { hasAgeRange, refuseAge } from '#domain/catalogue/ages.ts';
import type { OpenSlot } from '#domain/catalogue/slots-contract.ts';
import { Button } from '#web/ui/button.tsx';
import { lazyPart } from '#web/ui/lazy-part.ts';
import { useDialogItem } from '#web/ui/overlay/dialog-item.ts';
import { OverlaySpinner } from '#web/ui/page/spinner.tsx';

const AddParticipantDialog = lazyPart(
  () => import('#web/accounts/family/add-participant-dialog.tsx'),
  'AddParticipantDialog',
);
const CareDialog = lazyPart(() => import('#web/accounts/family/care-dialog.tsx'), 'CareDialog');
const EditParticipantDialog = lazyPart(
  () => import('#web/accounts/family/edit-participant-dialog.tsx'),
  'EditParticipantDialog',
);

/** What is missing before a lesson can be booked: the child who takes part, a date of birth, or care details. */
type Requirement = { needs: 'child' | 'birth' | 'care'; message: string; action: string };

/**
 * Whether a lesson is only for under-18s. Account holders can't take part: they have confirmed that they are
 * 18 or over.
 */
const isForChildren = ({ maxAge }: OpenSlot): boolean => maxAge !== null && maxAge < 18;

/**
 * What is missing before this person can take part; null if nothing is. The server refuses the booking for
 * the same reasons. A booking that already holds a seat can always continue. `isAlone`: whether the customer
 * has no dependants.
 */
export function findRequirement(
  participant: Participant,
  slot: OpenSlot,
  isAlone: boolean,
): Requirement | null {
  const { kind, dateOfBirth, careState, careConfirmedAt } = participant;
  const name = nameParticipant(participant);
  if (isAlone && !dateOfBirth && isForChildren(slot)) {
    const message = `This lesson is for ages ${describeAges(slot)}. Please add the child who takes part.`;
    return { needs: 'child', message, action: 'Add a child' };
  }
  if (hasAgeRange(slot) && !dateOfBirth) {
    const message = refuseAge({ name, kind, dateOfBirth }, slot)?.message ?? '';
    return { needs: 'birth', message, action: 'Add date of birth' };
  }
  const refusal = refuseWithoutCare({ kind, name, careConfirmedAt }, Date.now());
  if (!refusal) return null;
  const action = careState === 'missing' ? 'Add care details' : 'Check care details';
  return { needs: 'care', message: refusal.message, action };
}

type RequirementButtonProps = {
  participant: Participant;
  requirement: Requirement;
  /** Called with the new child's id. Required if a child may be missing. */
  onChoose?: (participantId: string) => void;
};

/** The button that opens the form for what is missing. After a save, the list of participants is refetched. */
export function RequirementButton({ participant, requirement, onChoose }: RequirementButtonProps) {
  const { item, open, ...editing } = useDialogItem<Requirement['needs']>();
  const dialog = { isOpen: editing.isOpen, onClose: editing.close };
  return (
    <>
      <Button onClick={() => open(requirement.needs)}>{requirement.action}</Button>
      <Suspense key={editing.openings} fallback={<OverlaySpinner />}>
        {item === 'child' && (
          <AddParticipantDialog {...dialog} onAdded={({ participantId }) => onChoose?.(participantId)} />
        )}
        {item === 'birth' && <EditParticipantDialog {...dialog} participant={participant} />}
        {item === 'care' && <CareDialog {...dialog} participant={participant} />}
      </Suspense>
    </>
  );
}
