import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import type { deskApi } from '#domain/desk/contract.ts';
import type { RefundRequest } from '#domain/desk/desk-booking.ts';
import { refuseDecision, refuseDeskRefund, singleAdminCents } from '#domain/desk/rules.ts';
import type { OutputOf, ParsedInputOf } from '#domain/endpoint.ts';
import { AppError, assertAllowed } from '#domain/errors.ts';
import { formatPounds } from '#domain/money.ts';
import { nameActor, notifyAdmins } from '#server/accounts/notify-admins.ts';
import { lockSlotOf } from '#server/bookings/payment/payment-records.ts';
import { readBookingMessageData } from '#server/bookings/queries.ts';
import { notifyOfDeskRefund } from '#server/bookings/refunds/notify-desk-refund.ts';
import { refundBooking } from '#server/bookings/refunds/refund-booking.ts';
import type { BorneBy } from '#server/bookings/refunds/write-refunds.ts';
import { composeRefundWaitingMessage } from '#server/notifications/templates/desk.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import type { RefundRequests } from '#server/platform/db/db-types.ts';
import { cutPage, readPageCursor, rowsOfPage } from '#server/platform/db/page-cursor.ts';
import { readSetting } from '#server/settings/queries.ts';
import { lockMoney } from './booking-money.ts';

type Part = { bookingId: string; amountCents: number; borneBy: BorneBy; reason: string };

/**
 * Refunds part of a booking, or asks a second admin to approve the refund if it exceeds what one admin alone may refund
 * of the booking. Throws `not_found`, and `conflict` if nothing can be refunded now, if the remaining amount
 * (details.leftCents) isn't the one that the admin saw, or if the refund exceeds it.
 */
export function askRefund(
  db: Database,
  admin: Person,
  { expectedLeftCents, ...part }: ParsedInputOf<typeof deskApi.refund>,
): Promise<OutputOf<typeof deskApi.refund>> {
  return db.transaction().execute(async (tx) => {
    await lockSlotOf(tx, part.bookingId);
    await lockCustomerOf(tx, part.bookingId);
    const money = await lockMoney(tx, part.bookingId);
    assertAllowed(refuseDeskRefund(money));
    const leftCents = money.chargedCents - money.refundedCents;
    if (leftCents !== expectedLeftCents) throw refuseChanged(leftCents);
    if (part.amountCents > leftCents) throw refuseTooMuch(leftCents);
    const { secondAdminAboveCents } = await readSetting(tx, 'refundControl');
    const aloneCents = singleAdminCents(secondAdminAboveCents, money.refundedAloneCents);
    const needsSecondAdmin = aloneCents !== null && part.amountCents > aloneCents;
    const refundRequestId = await writeRequest(tx, admin, part, needsSecondAdmin);
    if (needsSecondAdmin) await announceWaiting(tx, admin, refundRequestId, part);
    else await makeRefund(tx, refundRequestId, part);
    await recordRequest(tx, admin, needsSecondAdmin ? 'refund.asked' : 'refund.made', {
      refundRequestId,
      ...part,
    });
    return { outcome: needsSecondAdmin ? 'waiting' : 'made' };
  });
}

/**
 * Keeps the customer of a booking, whose slot must already be locked, from deleting the account until the transaction
 * ends, because a waiting refund blocks the deletion. The lock on the slot does the same for the coach.
 */
async function lockCustomerOf(tx: Tx, bookingId: string): Promise<void> {
  await sql`
    select from profiles
    where user_id = (select customer_user_id from bookings where booking_id = ${bookingId}::uuid)
    for key share`.execute(tx);
}

/**
 * Makes or declines a refund that waits for a second admin. The admin who asked for the refund can decline it, but not
 * approve it. Throws `not_found`, and `conflict` if someone has already decided, if this admin may not approve the
 * refund, or if the booking can no longer be refunded by this amount.
 */
export async function decideRequest(
  db: Database,
  admin: Person,
  { refundRequestId, decision }: ParsedInputOf<typeof deskApi.decideRequest>,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { bookingId } = await readRequest(tx, refundRequestId);
    await lockSlotOf(tx, bookingId);
    const money = await lockMoney(tx, bookingId);
    const request = await readRequest(tx, refundRequestId);
    if (request.status !== 'waiting') {
      const how = request.status === 'made' ? 'approved' : 'declined';
      throw new AppError('conflict', `This refund has already been ${how}.`);
    }
    assertAllowed(refuseDecision(request, admin.userId, decision));
    const isApproved = decision === 'approve';
    const status = isApproved ? 'made' : 'declined';
    await tx
      .updateTable('refundRequests')
      .set({
        status,
        decidedBy: admin.userId,
        decidedAt: sql<string>`now()`,
      })
      .where('refundRequestId', '=', refundRequestId)
      .execute();
    if (isApproved) {
      assertAllowed(refuseDeskRefund({ ...money, isWaiting: false }));
      await makeRefund(tx, refundRequestId, request);
    }
    const declined = request.askedBy === admin.userId ? 'refund.withdrawn' : 'refund.declined';
    const change = { from: request.status, to: status } as const;
    await recordRequest(tx, admin, isApproved ? 'refund.approved' : declined, request, change);
  });
}

/** A page of the refunds that wait for a second admin, oldest first. `bookingId` limits the page to one booking. */
export async function listRequests(
  db: Database | Tx,
  { cursor, limit, bookingId }: ParsedInputOf<typeof deskApi.listRequests> & { bookingId?: string },
): Promise<OutputOf<typeof deskApi.listRequests>> {
  const after = readPageCursor(cursor);
  const { rows } = await sql<RefundRequest>`
    select request.refund_request_id, booking.booking_id, booking.title, lower(booking.during) as start_time,
      upper(booking.during) as end_time, customer.full_name as customer_name, request.amount_cents, request.borne_by,
      request.reason, request.asked_at,
      jsonb_build_object('userId', asker.user_id, 'fullName', asker.full_name) as asked_by
    from refund_requests request
    join bookings booking using (booking_id)
    join profiles customer on customer.user_id = booking.customer_user_id
    join profiles asker on asker.user_id = request.asked_by
    where request.status = 'waiting'
      ${bookingId ? sql`and request.booking_id = ${bookingId}::uuid` : sql``}
      ${after ? sql`and (request.asked_at, request.refund_request_id) > (${after.time}::timestamptz, ${after.id}::uuid)` : sql``}
    order by request.asked_at, request.refund_request_id
    limit ${rowsOfPage(limit)}`.execute(db);
  const { page, nextCursor } = cutPage(rows, limit, ({ askedAt, refundRequestId }) => ({
    time: askedAt,
    id: refundRequestId,
  }));
  return { requests: page, nextCursor };
}

async function writeRequest(
  tx: Tx,
  { userId }: Person,
  part: Part,
  needsSecondAdmin: boolean,
): Promise<string> {
  const decided = { status: 'made', decidedBy: userId, decidedAt: sql<string>`now()` } as const;
  const { refundRequestId } = await tx
    .insertInto('refundRequests')
    .values({
      ...part,
      needsSecondAdmin,
      askedBy: userId,
      ...(needsSecondAdmin ? { status: 'waiting' } : decided),
    })
    .returning('refundRequestId')
    .executeTakeFirstOrThrow();
  return refundRequestId;
}

async function makeRefund(tx: Tx, refundRequestId: string, part: Part): Promise<void> {
  const { bookingId, amountCents, borneBy, reason } = part;
  const refundIds = await refundBooking(tx, { bookingId, cents: amountCents, borneBy });
  await tx.updateTable('refunds').set({ refundRequestId }).where('refundId', 'in', refundIds).execute();
  await notifyOfDeskRefund(tx, { bookingId, refundIds, reason });
}

async function announceWaiting(tx: Tx, admin: Person, refundRequestId: string, part: Part): Promise<void> {
  const data = await readBookingMessageData(tx, part.bookingId);
  if (!data) return;
  const by = await nameActor(tx, admin);
  const { amountCents: refundCents, reason } = part;
  await notifyAdmins(
    tx,
    { kind: 'refund_waiting', subjectId: refundRequestId },
    { except: [admin.userId], compose: () => composeRefundWaitingMessage(data, { by, refundCents, reason }) },
  );
}

const recordRequest = (
  tx: Tx,
  admin: Person,
  action: string,
  request: Part & { refundRequestId: string },
  decided?: Record<'from' | 'to', RefundRequests['status']>,
) =>
  recordAudit(tx, admin, {
    action,
    subjectType: 'refund_request',
    subjectId: request.refundRequestId,
    ...(decided && { before: { status: decided.from } }),
    after: {
      ...(decided && { status: decided.to }),
      bookingId: request.bookingId,
      amountCents: request.amountCents,
      borneBy: request.borneBy,
      reason: request.reason,
    },
  });

type StoredRequest = Part & { refundRequestId: string; status: RefundRequests['status']; askedBy: string };

async function readRequest(tx: Tx, refundRequestId: string): Promise<StoredRequest> {
  const request = await tx
    .selectFrom('refundRequests')
    .select(['refundRequestId', 'bookingId', 'amountCents', 'borneBy', 'reason', 'status', 'askedBy'])
    .where('refundRequestId', '=', refundRequestId)
    .executeTakeFirst();
  if (!request) throw new AppError('not_found', 'Refund not found.');
  return request;
}

const refuseTooMuch = (leftCents: number) => {
  const message = `At most ${formatPounds(leftCents)} of this booking can still be refunded.`;
  return new AppError('conflict', message, { details: { leftCents }, fields: { amountCents: message } });
};

const refuseChanged = (leftCents: number) =>
  new AppError(
    'conflict',
    `This booking has changed since you opened it: ${formatPounds(leftCents)} can still be refunded. Please check it again.`,
    { details: { leftCents } },
  );
