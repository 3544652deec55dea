import { sql } from 'kysely';
import type { PaidBooking } from '#domain/bookings/contract.ts';
import { notifyAdmins } from '#server/accounts/notify-admins.ts';
import { notify } from '#server/notifications/notify.ts';
import {
  composeRefundAlertMessage,
  composeRefundFailedMessage,
  composeRefundSettledMessage,
} from '#server/notifications/templates/refunds.ts';
import type { Database } from '#server/platform/db/db.ts';
import { readProduct } from '#server/settings/queries.ts';
import { readBookingMessageData } from '../queries.ts';

/** Notifies the customer and the admins that a refund failed. Does nothing if the refund is no longer `failed`. */
export async function notifyFailed(db: Database, refundId: string): Promise<void> {
  const refund = await readRefund(db, refundId);
  const data = refund?.status === 'failed' && (await readBookingMessageData(db, refund.bookingId));
  if (!refund || !data) return;
  const { lessons } = refund;
  const alert = {
    refundCents: refund.amountCents,
    customerName: data.fullName,
    bookingIds: lessons.map(({ bookingId }) => bookingId),
    message: refund.failureMessage ?? 'No reason was given.',
  };
  await db.transaction().execute(async (tx) => {
    const event = { subjectId: refund.bookingId, version: `delayed ${refundId}` };
    const message = composeRefundFailedMessage({ ...data, lessons }, refund.amountCents);
    await notify(tx, data.recipient, { kind: 'refund', ...event }, message);
    const failure = {
      subjectId: refundId,
      version: `${refund.givenUpAt}`,
      aboutUserId: data.recipient.userId,
    };
    await notifyAdmins(
      tx,
      { kind: 'refund_failed', ...failure },
      {
        compose: ({ fullName }) => composeRefundAlertMessage({ fullName, ...alert }),
      },
    );
  });
}

/** Notifies the customer that a failed refund has gone through after all or was settled another way. */
export async function notifySettled(db: Database, refundId: string): Promise<void> {
  const refund = await readRefund(db, refundId);
  const isPaid = refund?.status === 'succeeded' || refund?.status === 'settled';
  const data = isPaid && (await readBookingMessageData(db, refund.bookingId));
  if (!data) return;
  const { contactEmail } = await readProduct(db);
  const details = { elsewhere: refund.settledReason, contactEmail };
  const event = { kind: 'refund', subjectId: refund.bookingId, version: `settled ${refundId}` } as const;
  const message = composeRefundSettledMessage(
    { ...data, lessons: refund.lessons },
    refund.amountCents,
    details,
  );
  await notify(db, data.recipient, event, message);
}

/** A refund and the lessons that it covers, the first lesson first; `bookingId` is the booking of that lesson. */
async function readRefund(db: Database, refundId: string) {
  const refund = await db
    .selectFrom('refunds')
    .select(['status', 'amountCents', 'failureMessage', 'settledReason', 'givenUpAt'])
    .where('refundId', '=', refundId)
    .executeTakeFirst();
  const { rows: lessons } = await sql<Omit<PaidBooking, 'status' | 'refundCents'>>`
    select booking.booking_id, booking.title, name_of_participant(participant) as participant_name,
      lower(booking.during) as start_time, upper(booking.during) as end_time, line.amount_cents
    from refund_lines line
    join bookings booking using (booking_id)
    join participants participant using (participant_id)
    where line.refund_id = ${refundId}::uuid
    order by lower(booking.during), booking.booking_id`.execute(db);
  return refund && lessons[0] && { ...refund, lessons, bookingId: lessons[0].bookingId };
}
