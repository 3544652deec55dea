import { sql } from 'kysely';
import { composeBorneRefundMessage, composeDeskRefundMessage } from '#server/notifications/templates/desk.ts';
import { writeNotifications } from '#server/notifications/write-notifications.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { readBookingMessageData } from '../queries.ts';

type MadeRefund = { bookingId: string; refundIds: string[]; reason: string | null };

/** Notifies the customer of refunds that an admin made or entered, and the coach if the coach bears a part. */
export async function notifyOfDeskRefund(
  tx: Tx,
  { bookingId, refundIds, reason }: MadeRefund,
): Promise<void> {
  const data = await readBookingMessageData(tx, bookingId);
  const { rows } = await sql<{ refundCents: number; coachCents: number }>`
    select sum(amount_cents)::integer as refund_cents, sum(coach_cents)::integer as coach_cents
    from refund_lines where booking_id = ${bookingId}::uuid and refund_id = any(${refundIds}::uuid[])`.execute(
    tx,
  );
  if (!data || !rows[0]) return;
  const made = { ...rows[0], reason };
  const event = { subjectId: bookingId, version: `desk ${refundIds[0]}` };
  await writeNotifications(tx, [
    {
      ...event,
      kind: 'refund',
      userId: data.recipient.userId,
      message: composeDeskRefundMessage(data, made),
    },
    ...(made.coachCents > 0
      ? [
          {
            ...event,
            kind: 'booking_refunded' as const,
            userId: data.booking.coachId,
            message: composeBorneRefundMessage(data, made),
          },
        ]
      : []),
  ]);
}
