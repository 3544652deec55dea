import { sql } from 'kysely';
import { kinds, type NotificationKind } from '#domain/notifications/kinds.ts';
import type { AcceptedEmail } from '#tools/smtp-server.ts';
import type { LoadStage } from './stage.ts';

/** A notification and its delivery by email, if it has one. */
type Sent = {
  notificationId: string;
  kind: NotificationKind;
  what: string;
  status: string | null;
  reason: string | null;
};

/**
 * Checks that each event of a booking has its notifications, one per person, kind, subject and version, and
 * that each email was sent once. An email may have been sent twice only if the sender could not know that the
 * first copy was accepted, or if the first copy was accepted before `exactFrom` (in ms since 1970), when a
 * process or a database may have failed before it recorded the delivery.
 */
export async function checkEmails({ db, smtpServer }: LoadStage, exactFrom: number): Promise<string[]> {
  const { rows } = await sql<Sent>`
    select notifications.notification_id, kind, status, reason, concat_ws(' ', kind, subject_id, version, 'for', user_id) as what
    from notifications
    left join deliveries on deliveries.notification_id = notifications.notification_id and channel = 'email'`.execute(
    db(),
  );
  const emails = groupBy(smtpServer.emails, notificationOf);
  const notifications = new Set(rows.map(({ notificationId }) => notificationId));
  return [
    ...(await findMissing(db())),
    ...findTwins(rows),
    ...rows.flatMap((row) => checkCopies(row, emails.get(row.notificationId) ?? [], exactFrom)),
    ...[...emails.keys()]
      .filter((id) => id !== null && !notifications.has(id))
      .map((id) => `An email was sent for the notification ${id}, which does not exist`),
  ];
}

/** The id of the notification that an email's return path names; null for an email about signing in. */
function notificationOf({ returnPath }: AcceptedEmail): string | null {
  const [, id] = /\+n([\da-f]{32})\./.exec(returnPath) ?? [];
  return id ? id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') : null;
}

/** Finds the events of bookings that have no notification. */
async function findMissing(db: ReturnType<LoadStage['db']>): Promise<string[]> {
  const { rows } = await sql<{ bookingId: string; kind: string }>`
    select booking_id, expected.kind
    from bookings booking join lesson_slots slot using (slot_id)
    cross join lateral (values
      (customer_user_id, 'booked', true), (slot.coach_id, 'new_booking', true),
      (customer_user_id, 'lesson_cancelled', cancelled_by is not null),
      (slot.coach_id, 'customer_cancelled', cancelled_by = 'customer')
    ) as expected (user_id, kind, is_expected)
    where booked_at is not null and is_expected and not exists (
      select from notifications notification
      where notification.user_id = expected.user_id and notification.kind = expected.kind and subject_id = booking_id)`.execute(
    db,
  );
  return rows.map(({ bookingId, kind }) => `Booking ${bookingId} has no notification "${kind}"`);
}

function groupBy<T, Key>(items: T[], keyOf: (item: T) => Key): Map<Key, T[]> {
  const groups = new Map<Key, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

function findTwins(rows: Sent[]): string[] {
  const twins = [...groupBy(rows, ({ what }) => what)].filter(([, same]) => same.length > 1);
  return twins.map(([what, same]) => `There are ${same.length} notifications "${what}"`);
}

function checkCopies(
  { kind, what, status, reason }: Sent,
  copies: AcceptedEmail[],
  exactFrom: number,
): string[] {
  if (status === 'queued') return [`The email "${what}" is still queued`];
  // No recipient has changed their preferences.
  const isEmailed = ['always', 'on'].includes(kinds[kind].rules.email);
  if (status === null && isEmailed) return [`The email "${what}" was never queued`];
  if (status !== 'sent') {
    return copies.some(({ isKnown }) => isKnown)
      ? [`The email "${what}" was sent, but its delivery is ${status ?? 'missing'} ${reason ?? ''}`]
      : [];
  }
  if (copies.length === 0) return [`The email "${what}" was lost`];
  const repeated = copies.slice(0, -1).filter(({ isKnown, acceptedAt }) => isKnown && acceptedAt > exactFrom);
  return repeated.length > 0 ? [`The email "${what}" was sent ${copies.length} times`] : [];
}
