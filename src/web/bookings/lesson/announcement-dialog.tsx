import { useState } from 'react';
import { announcementLength, announcementText } from '#domain/bookings/announcements.ts';
import { announcementsApi } from '#domain/bookings/announcements-contract.ts';
import type { CoachSlot } from '#domain/catalogue/slots-contract.ts';
import { formatLessonTime } from '#domain/time.ts';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Textarea } from '#web/ui/form/textarea.tsx';
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx';
import { toastSuccess } from '#web/ui/overlay/toaster.ts';
import { useSlotChange } from '../changes/use-slot-change.ts';
import { countPeople } from './booked-people.ts';

type AnnouncementDialogProps = {
  slot: CoachSlot;
  /** The number of people who would be sent the announcement now. */
  recipients: number;
  isOpen: boolean;
  onClose: () => void;
};

/** Sends an announcement to everyone booked on a lesson. The button shows the number of recipients. */
export function AnnouncementDialog({ slot, recipients, isOpen, onClose }: AnnouncementDialogProps) {
  const [text, setText] = useState('');
  const [isChecked, setIsChecked] = useState(false);
  const send = useSlotChange(announcementsApi.send);
  const { length } = text.trim();
  const parsed = announcementText.safeParse(text);
  // An empty text is reported only on submission; a text that is too long is reported immediately.
  const problem = (isChecked || length > announcementLength) && parsed.error?.issues[0]?.message;

  function submit() {
    setIsChecked(true);
    if (!parsed.success) return;
    send.mutate(
      { slotId: slot.slotId, text: parsed.data, expectedRecipients: recipients },
      {
        onSuccess: ({ announcement }) => {
          toastSuccess(`Sent to ${countPeople(announcement.recipients)}`, slot.title);
          onClose();
        },
      },
    );
  }

  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Write to everyone who booked"
      description={`${slot.title}, ${formatLessonTime(slot.startTime, slot.endTime, Date.now())}`}
      onSubmit={submit}
      refusal={send.error}
      submit={`Send to ${countPeople(recipients)}`}
      isDisabled={recipients === 0}
      isPending={send.isPending}
      pendingLabel="Sending..."
    >
      <FormField
        label="Announcement"
        error={problem || send.error?.fields?.text}
        hint={`${length} of ${announcementLength} characters`}
      >
        <Textarea rows={5} value={text} onChange={({ target }) => setText(target.value)} />
      </FormField>
      <p className="text-sm text-muted-foreground">
        {describeReaders(recipients)} Announcements stay with the lesson, so people who book later can read
        them too. Nobody can reply to them.
      </p>
    </FormDialog>
  );
}

function describeReaders(recipients: number): string {
  if (recipients === 0) return 'Nobody is booked on this lesson now.';
  return recipients === 1
    ? "We'll notify the person who has booked, unless they've switched these notifications off."
    : `We'll notify each of the ${recipients} people who have booked, unless they've switched these notifications off.`;
}
