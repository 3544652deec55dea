import Megaphone from 'lucide-react/icons/megaphone';
import {
  explainAnnouncementLimit,
  nextAnnouncementAt,
  refuseAnnouncement,
} from '#domain/bookings/announcements.ts';
import { announcementsApi } from '#domain/bookings/announcements-contract.ts';
import type { CoachSlot } from '#domain/catalogue/slots-contract.ts';
import type { OutputOf } from '#domain/endpoint.ts';
import { useApi } from '#web/app/api/api.ts';
import { Button } from '#web/ui/button.tsx';
import { useDialogItem } from '#web/ui/overlay/dialog-item.ts';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { AnnouncementItem } from '../announcement-item.tsx';
import { AnnouncementDialog } from './announcement-dialog.tsx';
import { countPeople } from './booked-people.ts';

type Sent = OutputOf<typeof announcementsApi.listSent>;

/** The announcements that the coach has sent about a lesson, and the button to send another. */
export function Announcements({ slot }: { slot: CoachSlot }) {
  const query = useApi(announcementsApi.listSent, { slotId: slot.slotId });
  return (
    <QueryView query={query} isPart failure="Failed to load announcements" skeleton={null}>
      {(sent) => <SentAnnouncements slot={slot} sent={sent} />}
    </QueryView>
  );
}

/** Renders nothing if there are no announcements and the coach can't send one. */
function SentAnnouncements({ slot, sent: { announcements, recipients } }: { slot: CoachSlot; sent: Sent }) {
  const writing = useDialogItem<null>();
  const now = Date.now();
  const nextAt = nextAnnouncementAt(announcements, now);
  const hasReaders = recipients > 0 && refuseAnnouncement(slot, now) === null;
  if (announcements.length === 0 && !hasReaders && !writing.isOpen) return null;
  return (
    <section aria-labelledby="announcements">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
        <h2 id="announcements">Announcements</h2>
        {hasReaders && !nextAt && (
          <Button variant="secondary" size="sm" onClick={() => writing.open(null)}>
            <Megaphone aria-hidden />
            Write to everyone
          </Button>
        )}
      </div>
      {hasReaders && nextAt && (
        <p className="mt-2 text-sm text-muted-foreground">{explainAnnouncementLimit(nextAt, now)}</p>
      )}
      {announcements.length === 0 ? (
        <p className="mt-2 text-sm text-muted-foreground">
          You haven't sent anything yet. Everyone who has booked can read your announcements with their
          booking.
        </p>
      ) : (
        <ul className="mt-3 divide-y border-y">
          {announcements.map((announcement) => (
            <AnnouncementItem
              key={announcement.announcementId}
              announcement={announcement}
              to={countPeople(announcement.recipients)}
            />
          ))}
        </ul>
      )}
      {writing.openings > 0 && (
        <AnnouncementDialog
          key={writing.openings}
          slot={slot}
          recipients={recipients}
          isOpen={writing.isOpen}
          onClose={writing.close}
        />
      )}
    </section>
  );
}
