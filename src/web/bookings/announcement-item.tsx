import type { Announcement } from '#domain/bookings/announcements-contract.ts';
import { formatDay, formatTime } from '#domain/time.ts';

type AnnouncementItemProps = {
  announcement: Announcement;
  /** Whom it was sent to, if the reader is its coach: "3 people". */
  to?: string;
};

/** One announcement in a list. Its text is shown as typed: links in it cannot be pressed. */
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
