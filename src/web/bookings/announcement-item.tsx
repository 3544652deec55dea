import type { Announcement } from '#domain/bookings/announcements-contract.ts';
import { formatDay, formatTime } from '#domain/time.ts';

type AnnouncementItemProps = {
  announcement: Announcement;
  /** The recipients, such as "3 people"; only for the lesson's coach. */
  to?: string;
};

/** One announcement in a list. The text is shown as typed, and URLs in the text are not links. */
export function AnnouncementItem({ announcement: { text, sentAt }, to }: AnnouncementItemProps) {
  return (
    <li className="py-3 text-sm">
      <p className="max-w-reading whitespace-pre-line wrap-anywhere">{text}</p>
      <p className="mt-1 text-xs text-muted-foreground tabular-nums">
        {to ? `Sent to ${to}, ` : ''}
        {formatDay(sentAt, Date.now())}, {formatTime(sentAt)}
      </p>
    </li>
  );
}
