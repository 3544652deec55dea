import { notifyAdmins } from '#server/accounts/notify-admins.ts';
import { notify } from '#server/notifications/notify.ts';
import {
  composeRefundAlertMessage,
  composeRefundFailedMessage,
  composeRefundSettledMessage,
} from '#server/notifications/templates/refunds.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db/db.ts';
import { readProduct } from '#server/settings/queries.ts';
import { readBookingMessageData } from '../queries.ts';

type Parts = { db: Database; config: Pick<Config, 'publicUrl'> };

/** Emails the customer and the admins that a refund failed. Does nothing if its status is no longer `failed`. */
export async function notifyGivenUp({ db, config }: Parts, refundId: string): Promise<void> {
  const refund = await readRefund(db, refundId);
  const data =
    refund?.status === 'failed' && (await readBookingMessageData(db, refund.bookingId, config.publicUrl));
  if (!refund || !data) return;
  const alert = {
    brand: data.brand,
    refundCents: refund.amountCents,
    customerName: data.fullName,
    bookingId: refund.bookingId,
    message: refund.failureMessage ?? 'No reason was given.',
    payoutsUrl: `${config.publicUrl}/admin/panel?tab=payouts`,
  };
  await db.transaction().execute(async (tx) => {
    await notify(tx, data.recipient, composeRefundFailedMessage(data, refund.amountCents));
    await notifyAdmins(tx, {
      compose: ({ fullName }) => composeRefundAlertMessage({ fullName, ...alert }),
    });
  });
}

/** Emails the customer that a failed refund has been paid. */
export async function notifySettled({ db, config }: Parts, refundId: string): Promise<void> {
  const refund = await readRefund(db, refundId);
  const isPaid = refund?.status === 'succeeded' || refund?.status === 'settled';
  const data = isPaid && (await readBookingMessageData(db, refund.bookingId, config.publicUrl));
  if (!data) return;
  const { contactEmail } = await readProduct(db);
  const details = { elsewhere: refund.settledReason, contactEmail };
  await notify(db, data.recipient, composeRefundSettledMessage(data, refund.amountCents, details));
}

const readRefund = (db: Database, refundId: string) =>
  db
    .selectFrom('refunds')
    .innerJoin('bookings', 'bookings.paymentId', 'refunds.paymentId')
    .select([
      'refunds.status',
      'refunds.amountCents',
      'refunds.failureMessage',
      'refunds.settledReason',
      'bookings.bookingId',
    ])
    .where('refundId', '=', refundId)
    .executeTakeFirst();
