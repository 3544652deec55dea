import { sql } from 'kysely';
import type { JobPayloads } from '#domain/jobs.ts';
import type { NotificationMessage } from '#domain/message.ts';
import type { NotificationKind } from '#domain/notifications/kinds.ts';
import type { Database } from '#server/platform/db/db.ts';
import { enqueue } from '#server/platform/jobs/enqueue.ts';
import { type BookingNoticeParts, notifyOfBooking } from '../notify-booking.ts';
import { type BookingNotice, readBookingMessageData } from '../queries.ts';

type ChangeJob = 'bookings.changed' | 'bookings.moved' | 'bookings.relocated';

type Change<Part> = {
  kind: NotificationKind;
  /** Whether the booking is still in the state that the change led to. */
  stillApplies: (data: BookingNotice, to: Part) => boolean;
  /** The state at the time of booking; null or undefined if it is not known. */
  original: (data: BookingNotice) => Part | null | undefined;
  isSame: (a: Part, b: Part) => boolean;
  compose: (data: BookingNotice, from: Part) => NotificationMessage;
};

/**
 * Notifies the customer of a change by the coach. The old state in the message is the state that the customer was last
 * notified of. Coaches often correct a change moments later, so the notification waits for `changeNoticeSeconds` and is
 * sent only if the booking is still in the new state. If a lesson moves twice in that time, the customer is notified
 * only of the second move, or of neither if the second move reverses the first.
 */
export const notifyOfChange =
  (parts: BookingNoticeParts) =>
  async <Name extends ChangeJob, Part extends JobPayloads[Name]['to']>(
    name: Name,
    change: JobPayloads[Name] & { from: Part; to: Part },
    { kind, stillApplies, original, isSame, compose }: Change<Part>,
  ): Promise<void> => {
    const { bookingId, from, to, version } = change;
    const { changeNoticeSeconds } = parts.config;
    if (!change.isSettled && changeNoticeSeconds > 0) {
      const runAt = new Date(Date.now() + changeNoticeSeconds * 1_000);
      return enqueue(parts.db, name, { ...change, isSettled: true }, { runAt });
    }
    const data = await readBookingMessageData(parts.db, bookingId);
    if (!data || !stillApplies(data, to) || data.booking.cancelledBy !== null) return;
    const event = { kind, version };
    const last = await readLastNotified<Part>(parts.db, data.recipient.userId, { bookingId, ...event });
    const before = last ? last.to : (original(data) ?? from);
    if (isSame(before, to)) return;
    const params = { from: before, to };
    await notifyOfBooking(
      parts,
      bookingId,
      { ...event, params, compose: (own) => compose(own, before) },
      data,
    );
  };

/** The new state in the customer's latest other notification of this kind about the booking; undefined if none. */
async function readLastNotified<Part>(
  db: Database,
  userId: string,
  { kind, bookingId, version }: { kind: NotificationKind; bookingId: string; version: string },
): Promise<{ to: Part } | undefined> {
  const { rows } = await sql<{ params: { to: Part } }>`
    select params from notifications
    where user_id = ${userId}::uuid and kind = ${kind} and subject_id = ${bookingId}::uuid and version <> ${version}
    order by created_at desc limit 1`.execute(db);
  return rows[0]?.params;
}
