import { sql } from 'kysely';
import { policyFields, refundForCancelling } from '#domain/bookings/cancellation-policy.ts';
import type { deskApi } from '#domain/desk/contract.ts';
import type { DeskBooking, UnenteredRefund } from '#domain/desk/desk-booking.ts';
import { singleAdminCents } from '#domain/desk/rules.ts';
import type { OutputOf } from '#domain/endpoint.ts';
import { AppError } from '#domain/errors.ts';
import type { CancellationPolicy } from '#domain/settings/contract.ts';
import { shareOfBooking } from '#server/bookings/ledger.ts';
import { isUnexplained, openCents } from '#server/bookings/refunds/external-money.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { readSetting } from '#server/settings/queries.ts';
import { type BookingMoney, moneyColumns, unsettledDisputes } from './booking-money.ts';
import { readHistory } from './read-history.ts';
import { listRequests } from './refund-requests.ts';
import { foundColumns, foundJoins } from './search-bookings.ts';

/** Reads a booking as admins see it, with its history. Throws `not_found`. */
export function getDeskBooking(db: Database, bookingId: string): Promise<OutputOf<typeof deskApi.get>> {
  return db.transaction().execute(async (tx) => {
    const row = await readRow(tx, bookingId);
    if (!row) throw new AppError('not_found', 'Booking not found.');
    const { requests } = await listRequests(tx, { bookingId, limit: 20, cursor: undefined });
    const unentered = await listUnentered(tx, bookingId);
    const { secondAdminAboveCents } = await readSetting(tx, 'refundControl');
    const { refundedAloneCents, unenteredCents: _, isWaiting: __, ...booking } = row;
    const { status, chargedCents, refundedCents } = booking;
    const refund = { amountCents: refundedCents };
    return {
      booking: {
        ...booking,
        leftCents: chargedCents - refundedCents,
        cancelRefundCents: status === 'booked' ? refundForCancelling({ ...booking, refund }, Date.now()) : 0,
        singleAdminCents: singleAdminCents(secondAdminAboveCents, refundedAloneCents),
        requests,
        unentered,
      },
      ...(await readHistory(tx, bookingId)),
    };
  });
}

type Row = Omit<
  DeskBooking,
  'leftCents' | 'cancelRefundCents' | 'singleAdminCents' | 'requests' | 'unentered'
> &
  BookingMoney &
  CancellationPolicy & { movedFrom: string | null; relocatedFrom: unknown; changedTo: unknown };

async function readRow(tx: Tx, bookingId: string): Promise<Row | undefined> {
  const policy = sql.join(policyFields.map((field) => sql.ref(`booking.${field}`)));
  const { rows } = await sql<Row>`
    select ${foundColumns}, ${moneyColumns}, ${policy}, booking.moved_from, booking.relocated_from, booking.changed_to,
      booking.slot_id, slot.status as slot_status, slot.coach_id, booking.customer_user_id, booking.location,
      booking.created_at, booking.cancelled_at, booking.cancelled_by, booking.attended, booking.fee_cents,
      share.cents as share_cents, booking.is_in_payrun,
      (select dispute_id from ${unsettledDisputes} order by disputes.created_at desc limit 1) as dispute_id,
      exists (select from payrun_items item join payruns using (payrun_id)
        where item.booking_id = booking.booking_id and item.kind = 'lesson' and not item.is_cancelled
          and payruns.status = 'paid') as is_paid_out,
      ${paidBookings(sql`line.payment_id in (
        select payment_id from payment_lines mine where mine.booking_id = booking.booking_id)
        and line.booking_id <> booking.booking_id`)} as together
    from bookings booking
    cross join lateral ${shareOfBooking} share
    ${foundJoins}
    where booking.booking_id = ${bookingId}::uuid`.execute(tx);
  return rows[0];
}

/** SQL: the contract's `BookingPaidTogether`s as a JSON array, for the payment lines (aliased `line`) that match. */
const paidBookings = (condition: ReturnType<typeof sql>) => sql`(
  select coalesce(jsonb_agg(jsonb_build_object('bookingId', paid.booking_id, 'title', paid.title,
    'startTime', ${iso(sql`lower(paid.during)`)}, 'endTime', ${iso(sql`upper(paid.during)`)},
    'participantName', case when paid.participant_id <> paid.customer_user_id
      then (select name_of_participant(who) from participants who where who.participant_id = paid.participant_id) end,
    'amountCents', line.amount_cents,
    'leftCents', line.amount_cents - (
      select coalesce(sum(back.amount_cents), 0) from refund_lines back join refunds using (refund_id)
      where back.booking_id = paid.booking_id and refunds.payment_id = line.payment_id)
    ) order by lower(paid.during), paid.booking_id), '[]')
  from payment_lines line join bookings paid on paid.booking_id = line.booking_id
  where ${condition}
)`;

/** SQL for an instant inside JSON, in UTC. */
const iso = (time: ReturnType<typeof sql>) =>
  sql`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** The refunds of a booking's payments that were made in Stripe and have not been entered. */
async function listUnentered(tx: Tx, bookingId: string): Promise<UnenteredRefund[]> {
  const { rows } = await sql<UnenteredRefund>`
    select external.stripe_refund_id, ${openCents} as amount_cents, external.made_at,
      ${paidBookings(sql`line.payment_id = external.payment_id`)} as bookings
    from external_refunds external
    where external.payment_id in (select payment_id from payment_lines where booking_id = ${bookingId}::uuid)
      and external.entered_refund_id is null and ${isUnexplained}
    order by external.made_at`.execute(tx);
  return rows;
}
