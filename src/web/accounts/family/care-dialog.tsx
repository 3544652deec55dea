import { careApi } from '#domain/accounts/care-contract.ts';
import type { Participant } from '#domain/accounts/participants-contract.ts';
import { useApi } from '#web/app/api/api.ts';
import { Dialog, DialogBody, DialogContent } from '#web/ui/overlay/dialog.tsx';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { Spinner } from '#web/ui/page/spinner.tsx';
import { CareForm } from './care-form.tsx';

type CareDialogProps = {
  participant: Participant;
  isOpen: boolean;
  onClose: () => void;
  /** Called once the care details are saved and the list of participants is up to date. */
  onSaved?: () => void;
};

/** Adds, changes or confirms the care details of a participant. */
export function CareDialog({ participant, isOpen, onClose, onSaved }: CareDialogProps) {
  const { participantId, kind, fullName } = participant;
  const query = useApi(careApi.getCare, { participantId });
  return (
    <Dialog open={isOpen} onOpenChange={(next) => next || onClose()}>
      <DialogContent
        title={kind === 'self' ? 'Your care details' : `Care details of ${fullName}`}
        description="Care details are encrypted. The coach of a booked lesson, and the owners and welfare officers of the coach's business, can see them from 7 days before the lesson until 24 hours after it."
      >
        <QueryView
          query={query}
          isPart
          failure="Failed to load the care details"
          frame={(failure) => <DialogBody>{failure}</DialogBody>}
          skeleton={<Spinner className="py-16" />}
        >
          {({ care }) => (
            <CareForm participant={participant} care={care} onClose={onClose} onSaved={onSaved} />
          )}
        </QueryView>
      </DialogContent>
    </Dialog>
  );
}
