import { sql } from 'kysely';
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
  const alert = {
    refundCents: refund.amountCents,
    customerName: data.fullName,
    bookingId: refund.bookingId,
    message: refund.failureMessage ?? 'No reason was given.',
  };
  await db.transaction().execute(async (tx) => {
    const event = { subjectId: refund.bookingId, version: `delayed ${refundId}` };
    const message = composeRefundFailedMessage(data, refund.amountCents);
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
  await notify(db, data.recipient, event, composeRefundSettledMessage(data, refund.amountCents, details));
}

/** A refund and the first of its bookings, which stands for all of them in messages. */
const readRefund = (db: Database, refundId: string) =>
  db
    .selectFrom('refunds')
    .innerJoin('refundLines', 'refundLines.refundId', 'refunds.refundId')
    .innerJoin('bookings', 'bookings.bookingId', 'refundLines.bookingId')
    .select([
      'refunds.status',
      'refunds.amountCents',
      'refunds.failureMessage',
      'refunds.settledReason',
      'refunds.givenUpAt',
      'bookings.bookingId',
    ])
    .where('refunds.refundId', '=', refundId)
    .orderBy(sql`lower(bookings.during)`)
    .orderBy('bookings.bookingId')
    .limit(1)
    .executeTakeFirst();
