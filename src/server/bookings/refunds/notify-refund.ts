import { notifyAdmins } from '#server/accounts/notify-admins.ts';
import {
  composeRefundAlertMail,
  composeRefundFailedMail,
  composeRefundSettledMail,
} from '#server/notifications/refund-mails.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db/db.ts';
import { enqueueMail } from '#server/platform/mail.ts';
import { readSettings } from '#server/settings/queries.ts';
import { readBookingNews } from '../queries.ts';

type Parts = { db: Database; config: Pick<Config, 'publicUrl'> };

/** Emails customer and admins that a refund was given up. Nothing where it is no longer so. */
export async function notifyGivenUp({ db, config }: Parts, refundId: string): Promise<void> {
  const refund = await readRefund(db, refundId);
  const news = refund?.status === 'failed' && (await readBookingNews(db, refund.bookingId, config.publicUrl));
  if (!refund || !news) return;
  const alert = {
    brand: news.brand,
    refundCents: refund.amountCents,
    customerName: news.fullName,
    bookingId: refund.bookingId,
    message: refund.failureMessage ?? 'No reason was given.',
    payoutsUrl: `${config.publicUrl}/admin/panel?tab=payouts`,
  };
  await db.transaction().execute(async (tx) => {
    await enqueueMail(tx, composeRefundFailedMail(news, refund.amountCents));
    await notifyAdmins(tx, {
      compose: ({ email: to, fullName }) => composeRefundAlertMail({ to, fullName, ...alert }),
    });
  });
}

/** Emails the customer that a refund that had been given up is paid. */
export async function notifySettled({ db, config }: Parts, refundId: string): Promise<void> {
  const refund = await readRefund(db, refundId);
  const isPaid = refund?.status === 'succeeded' || refund?.status === 'settled';
  const news = isPaid && (await readBookingNews(db, refund.bookingId, config.publicUrl));
  if (!news) return;
  const contactEmail = (await readSettings(db)).contact.email || null;
  const details = { elsewhere: refund.settledReason, contactEmail };
  await enqueueMail(db, composeRefundSettledMail(news, refund.amountCents, details));
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
