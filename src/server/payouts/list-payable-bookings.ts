import { sql } from 'kysely';
import type { OutputOf, ParsedInputOf } from '#domain/endpoint.ts';
import type { PayableBooking, payoutsApi } from '#domain/payouts/contract.ts';
import { fitsSearch, planForValues } from '#server/accounts/search-people.ts';
import type { Database, Tx } from '#server/platform/db.ts';
import { readPageCursor, writePageCursor } from '#server/platform/page-cursor.ts';

/**
 * The coach's share (aliased `share`) of a booking (aliased `booking`), as its ledger has it: docs/decisions/0011.
 * Joined laterally.
 */
export const shareOfBooking = sql`(
  select coalesce(sum(case when entry.kind in ('fee', 'fee_refunded') then -entry.amount_cents else entry.amount_cents end)
    filter (where entry.kind not in ('paid_out', 'paid_back')), 0)::bigint as cents
  from ledger_entries entry where entry.booking_id = booking.booking_id
)`;

/**
 * Whether a bank is taking back what was charged for a booking (aliased `booking`), or has: only a dispute that the
 * club won leaves money to pay a coach from.
 */
export const isDisputed = sql`exists (
  select from disputes where disputes.payment_id = booking.payment_id and disputes.status not in ('won', 'warning_closed')
)`;

/**
 * A page of bookings that a payrun can pay, those that must wait included: of coaches without bank details, and
 * disputed ones. Oldest lesson first. `search` is a part of the coach's name or address.
 */
export async function listPayableBookings(
  db: Database,
  { readyOnly, search, cursor, limit }: ParsedInputOf<typeof payoutsApi.listPayableBookings>,
): Promise<OutputOf<typeof payoutsApi.listPayableBookings>> {
  const after = readPageCursor(cursor);
  // `is true` keeps this a lookup per row: as a join it would be a reason to read all bookings first.
  const isReady = sql`(exists (select from coach_bank_details bank where bank.coach_id = slot.coach_id)) is true`;
  const rows = await db.transaction().execute(async (tx) => {
    await planForValues(tx);
    const coachIds = search ? await findCoaches(tx, search) : null;
    const found = await sql<PayableBooking & { pageTime: string }>`
      select booking.booking_id, slot.coach_id, coach.full_name as coach_name, customer.full_name as customer_name,
        booking.title, slot.end_time, share.cents as amount_cents, ${isReady} as has_bank_details,
        ${isDisputed} as is_disputed,
        upper(booking.during) as page_time
      from bookings booking
      cross join lateral ${shareOfBooking} share
      join lesson_slots slot using (slot_id)
      join profiles coach on coach.user_id = slot.coach_id
      join profiles customer on customer.user_id = booking.customer_user_id
      -- The first line is the index's condition, word for word; the others hold what it cannot.
      where (booking.is_active or booking.cancelled_at is not null) and booking.is_owed and not booking.is_in_payrun
        and booking.fee_cents < booking.amount_cents and upper(booking.during) <= now()
        and booking.status <> 'pending' and slot.end_time <= now() and share.cents > 0
        ${readyOnly === 'true' ? sql`and ${isReady}` : sql``}
        ${coachIds ? sql`and slot.coach_id = any(${coachIds}::uuid[])` : sql``}
        ${after ? sql`and (upper(booking.during), booking.booking_id) > (${after.time}::timestamptz, ${after.id}::uuid)` : sql``}
      order by upper(booking.during), booking.booking_id
      limit ${limit + 1}`.execute(tx);
    return found.rows;
  });
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    bookings: page.map(({ pageTime: _, ...booking }) => booking),
    nextCursor: last ? writePageCursor({ time: last.pageTime, id: last.bookingId }) : null,
  };
}

/** Everybody a search fits who has ever been a coach; a search that fits more than these means nobody. */
async function findCoaches(tx: Tx, search: string): Promise<string[]> {
  const found = await tx
    .selectFrom('profiles')
    .select('userId')
    .where(fitsSearch(search))
    .where('userId', 'in', tx.selectFrom('coaches').select('coachId'))
    .orderBy('createdAt', 'desc')
    .limit(200)
    .execute();
  return found.map(({ userId }) => userId);
}
