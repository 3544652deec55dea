import { Suspense } from 'react';
import { refuseWithoutCare } from '#domain/accounts/care.ts';
import { nameParticipant } from '#domain/accounts/participants.ts';
import type { Participant } from '#domain/accounts/participants-contract.ts';
import { hasAgeRange, refuseAge } from '#domain/catalogue/ages.ts';
import type { OpenSlot } from '#domain/catalogue/slots-contract.ts';
import { Button } from '#web/ui/button.tsx';
import { lazyPart } from '#web/ui/lazy-part.ts';
import { useDialogItem } from '#web/ui/overlay/dialog-item.ts';
import { OverlaySpinner } from '#web/ui/page/spinner.tsx';

const CareDialog = lazyPart(() => import('#web/accounts/family/care-dialog.tsx'), 'CareDialog');
const EditParticipantDialog = lazyPart(
  () => import('#web/accounts/family/edit-participant-dialog.tsx'),
  'EditParticipantDialog',
);

/** What a participant lacks before a lesson can be booked: a date of birth, or care details. */
type Requirement = { needs: 'birth' | 'care'; message: string; action: string };

/** The server refuses the booking for the same reasons. Nothing stops a booking that is already held. */
export function findRequirement(participant: Participant, slot: OpenSlot): Requirement | null {
  const { kind, dateOfBirth, careState, careConfirmedAt } = participant;
  const name = nameParticipant(participant);
  if (hasAgeRange(slot) && !dateOfBirth) {
    const message = refuseAge({ name, kind, dateOfBirth }, slot)?.message ?? '';
    return { needs: 'birth', message, action: 'Add date of birth' };
  }
  const refusal = refuseWithoutCare({ kind, name, careConfirmedAt }, Date.now());
  if (!refusal) return null;
  const action = careState === 'missing' ? 'Add care details' : 'Check care details';
  return { needs: 'care', message: refusal.message, action };
}

type RequirementButtonProps = { participant: Participant; requirement: Requirement };

/** The button that opens what is missing; once it is saved, the list of participants is read again. */
export function RequirementButton({ participant, requirement }: RequirementButtonProps) {
  const editing = useDialogItem<Requirement['needs']>();
  const Dialog = editing.item === 'birth' ? EditParticipantDialog : CareDialog;
  return (
    <>
      <Button onClick={() => editing.open(requirement.needs)}>{requirement.action}</Button>
      {editing.item && (
        <Suspense fallback={<OverlaySpinner />}>
          <Dialog
            key={editing.openings}
            participant={participant}
            isOpen={editing.isOpen}
            onClose={editing.close}
          />
        </Suspense>
      )}
    </>
  );
}
