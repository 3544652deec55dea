import { type RawBuilder, sql } from 'kysely';
import type { OutputOf, ParsedInputOf } from '#domain/endpoint.ts';
import type { PayableBooking, PayableCoach, payoutsApi } from '#domain/payouts/contract.ts';
import { instantsOf, type Period } from '#domain/period.ts';
import { matchesSearch, planForValues } from '#server/accounts/search-people.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { cutPage, readPageCursor, rowsOfPage } from '#server/platform/db/page-cursor.ts';
import { payoutWaitsFor } from '#server/progress/payout-condition.ts';

import { hasBankDetails, isDisputed, isReady, payableBookings, withheldColumns } from '../payable.ts';

type PayableFilter = Period & { search?: string | undefined };

/** The condition that a filter adds to {@link payableBookings}. */
async function readFilter(tx: Tx, { search, ...period }: PayableFilter): Promise<RawBuilder<unknown>> {
  const { since, until } = instantsOf(period);
  if (search || since || until) await planForValues(tx);
  const coachIds = search ? await findCoaches(tx, search) : null;
  return sql`
    ${coachIds ? sql`and slot.coach_id = any(${coachIds}::uuid[])` : sql``}
    ${since ? sql`and upper(booking.during) >= ${since}::timestamptz` : sql``}
    ${until ? sql`and upper(booking.during) < ${until}::timestamptz` : sql``}`;
}

/**
 * A page of payable bookings, oldest lesson first. The page includes bookings that must wait: withheld bookings, those
 * that wait for attendance or a note, and, unless `readyOnly` is "true", bookings of coaches without bank details.
 */
export async function listPayableBookings(
  db: Database,
  { readyOnly, cursor, limit, ...filter }: ParsedInputOf<typeof payoutsApi.listPayableBookings>,
): Promise<OutputOf<typeof payoutsApi.listPayableBookings>> {
  const after = readPageCursor(cursor);
  const rows = await db.transaction().execute(async (tx) => {
    const matches = await readFilter(tx, filter);
    const found = await sql<PayableBooking & { pageTime: string }>`
      with page as (
        select booking.booking_id, booking.customer_user_id, booking.title, slot.coach_id, slot.end_time,
          due.cents as amount_cents, ${hasBankDetails} as has_bank_details, ${isDisputed} as is_disputed,
          ${withheldColumns}, ${payoutWaitsFor} as waits_for,
          upper(booking.during) as page_time
        ${payableBookings(sql`${matches}
          ${readyOnly === 'true' ? sql`and ${hasBankDetails}` : sql``}
          ${after ? sql`and (upper(booking.during), booking.booking_id) > (${after.time}::timestamptz, ${after.id}::uuid)` : sql``}`)}
        order by upper(booking.during), booking.booking_id
        limit ${rowsOfPage(limit)}
      )
      select page.booking_id, page.coach_id, coach.full_name as coach_name, customer.full_name as customer_name,
        page.title, page.end_time, page.amount_cents, page.has_bank_details, page.is_disputed, page.disputed_cents,
        page.refunded_outside_cents, page.waits_for, page.page_time
      from page
      join profiles coach on coach.user_id = page.coach_id
      join profiles customer on customer.user_id = page.customer_user_id
      order by page.page_time, page.booking_id`.execute(tx);
    return found.rows;
  });
  const { page, nextCursor } = cutPage(rows, limit, ({ pageTime, bookingId }) => ({
    time: pageTime,
    id: bookingId,
  }));
  return { bookings: page.map(({ pageTime: _, ...booking }) => booking), nextCursor };
}

/** The sums of ready bookings by coach, in order of name, for at most 500 coaches, and the totals of all coaches. */
export function listPayableCoaches(
  db: Database,
  filter: PayableFilter,
): Promise<OutputOf<typeof payoutsApi.listPayableCoaches>> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<PayableCoach & { allBookings: number; allCents: number }>`
      with payable as (
        select slot.coach_id, due.cents, ${hasBankDetails} as has_bank_details, ${isReady} as is_ready
        ${payableBookings(await readFilter(tx, filter))}
      ), by_coach as (
        select coach_id, bool_or(has_bank_details) as has_bank_details,
          count(*) filter (where is_ready) as booking_count,
          coalesce(sum(cents) filter (where is_ready), 0)::bigint as amount_cents,
          count(*) filter (where not is_ready) as waiting_count
        from payable
        group by coach_id
      )
      select coach_id, profile.full_name as coach_name, has_bank_details, booking_count, amount_cents, waiting_count,
        (sum(booking_count) over ())::bigint as all_bookings, (sum(amount_cents) over ())::bigint as all_cents
      from by_coach
      join profiles profile on profile.user_id = coach_id
      order by profile.full_name, coach_id
      limit 500`.execute(tx);
    return {
      coaches: rows.map(({ allBookings: _, allCents: __, ...coach }) => coach),
      bookingCount: rows[0]?.allBookings ?? 0,
      amountCents: rows[0]?.allCents ?? 0,
    };
  });
}

type Matching = PayableFilter & {
  coachIds?: string[] | undefined;
  exceptBookingIds?: string[] | undefined;
};

/**
 * The ids of up to `limit` ready bookings that match the filter, in order of id. `isClaiming` locks the bookings in the
 * same order.
 */
export async function findReadyBookings(
  tx: Tx,
  { coachIds, exceptBookingIds, ...filter }: Matching,
  { limit, isClaiming }: { limit: number; isClaiming: boolean },
): Promise<string[]> {
  await planForValues(tx);
  const matches = await readFilter(tx, filter);
  const { rows } = await sql<{ bookingId: string }>`
    select booking.booking_id
    ${payableBookings(sql`${matches} and ${isReady}
      ${coachIds ? sql`and slot.coach_id = any(${coachIds}::uuid[])` : sql``}
      ${exceptBookingIds ? sql`and booking.booking_id <> all(${exceptBookingIds}::uuid[])` : sql``}`)}
    order by booking.booking_id
    limit ${limit}
    ${isClaiming ? sql`for update of booking` : sql``}`.execute(tx);
  return rows.map(({ bookingId }) => bookingId);
}

/** The ids of the 200 newest people who match a search and are or were coaches. */
async function findCoaches(tx: Tx, search: string): Promise<string[]> {
  const found = await tx
    .selectFrom('profiles')
    .select('userId')
    .where(matchesSearch(search))
    .where('userId', 'in', tx.selectFrom('coaches').select('coachId'))
    .orderBy('createdAt', 'desc')
    .limit(200)
    .execute();
  return found.map(({ userId }) => userId);
}
