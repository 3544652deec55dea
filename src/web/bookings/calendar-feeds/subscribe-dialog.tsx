import type { FeedScope } from '#domain/bookings/calendar-rules.ts';
import { Dialog, DialogBody, DialogContent } from '#web/ui/overlay/dialog.tsx';
import { CalendarFeeds } from './calendar-feeds.tsx';
import { aboutFeeds } from './feed-text.ts';

type SubscribeDialogProps = { scope: FeedScope; onClose: () => void };

/** A dialog with the address at which a calendar program reads the person's lessons. */
export function SubscribeDialog({ scope, onClose }: SubscribeDialogProps) {
  return (
    <Dialog open onOpenChange={(isOpen) => isOpen || onClose()}>
      <DialogContent title="Subscribe in your calendar" description={aboutFeeds}>
        <DialogBody>
          <CalendarFeeds scopes={[scope]} />
        </DialogBody>
      </DialogContent>
    </Dialog>
  );
}
