import { type RawBuilder, sql } from 'kysely';
import type { OutputOf, ParsedInputOf } from '#domain/endpoint.ts';
import type { PayableBooking, PayableCoach, payoutsApi } from '#domain/payouts/contract.ts';
import { instantsOf, type Period } from '#domain/period.ts';
import { matchesSearch, planForValues } from '#server/accounts/search-people.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { readPageCursor, writePageCursor } from '#server/platform/db/page-cursor.ts';

/**
 * The coach's share (aliased `share`) of a booking (aliased `booking`) by its ledger: docs/decisions/0011. Joined
 * laterally.
 */
export const shareOfBooking = sql`(
  select coalesce(sum(case when entry.kind in ('fee', 'fee_refunded') then -entry.amount_cents else entry.amount_cents end)
    filter (where entry.kind not in ('paid_out', 'paid_back')), 0)::bigint as cents
  from ledger_entries entry where entry.booking_id = booking.booking_id
)`;

/**
 * Whether a bank is reclaiming or has reclaimed the charge of a booking (aliased `booking`): only a dispute that the
 * club won leaves money for the coach.
 */
const isDisputed = sql`exists (
  select from disputes where disputes.payment_id = booking.payment_id and disputes.status not in ('won', 'warning_closed')
)`;

/**
 * Whether a booking (aliased `booking`) is held, so that no payrun pays it: disputed, or refunded at the card network
 * without a refund of ours.
 */
export const isHeld = sql`(${isDisputed} or exists (
  select from external_refunds external where external.payment_id = booking.payment_id
    and external.covers_cents < external.amount_cents and external.status not in ('failed', 'canceled')
))`;

/** Why a booking (aliased `booking`) is held: the columns of the contract's `heldMoney`, in cents. */
export const heldColumns = sql`
  (select coalesce(sum(disputes.amount_cents), 0) from disputes
    where disputes.payment_id = booking.payment_id and disputes.status not in ('won', 'warning_closed'))::integer
    as disputed_cents,
  (select coalesce(sum(external.amount_cents - external.covers_cents), 0) from external_refunds external
    where external.payment_id = booking.payment_id and external.status not in ('failed', 'canceled'))::integer
    as refunded_outside_cents`;

// `is true` keeps this a lookup per row: as a join it would make the planner read all bookings first.
const hasBankDetails = sql`(exists (select from coach_bank_details bank where bank.coach_id = slot.coach_id)) is true`;

/**
 * Whether a payrun can take a payable booking now, without waiting for its coach, its customer's bank or an admin.
 */
const isReady = sql`(${hasBankDetails} and not ${isHeld})`;

/**
 * The payable bookings, whether ready or not: aliased `booking`, with `slot` and the coach's `share`. The condition
 * on `booking` before `status` must equal that of the index `bookings_payable`, word for word.
 */
const payableBookings = (condition: RawBuilder<unknown>) => sql`
  from bookings booking
  cross join lateral ${shareOfBooking} share
  join lesson_slots slot using (slot_id)
  where (booking.is_active or booking.cancelled_at is not null) and booking.is_owed and not booking.is_in_payrun
    and booking.fee_cents < booking.amount_cents and upper(booking.during) <= now()
    and booking.status <> 'pending' and slot.end_time <= now() and share.cents > 0
    ${condition}`;

type PayableFilter = Period & { search?: string | undefined };

/** The condition that a filter adds to {@link payableBookings}. */
async function readFilter(tx: Tx, { search, ...period }: PayableFilter): Promise<RawBuilder<unknown>> {
  await planForValues(tx);
  const coachIds = search ? await findCoaches(tx, search) : null;
  const { since, until } = instantsOf(period);
  return sql`
    ${coachIds ? sql`and slot.coach_id = any(${coachIds}::uuid[])` : sql``}
    ${since ? sql`and upper(booking.during) >= ${since}::timestamptz` : sql``}
    ${until ? sql`and upper(booking.during) < ${until}::timestamptz` : sql``}`;
}

/**
 * A page of bookings that a payrun can pay, including those that must wait: held ones and those of coaches without
 * bank details. Oldest lesson first.
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
          share.cents as amount_cents, ${hasBankDetails} as has_bank_details, ${isDisputed} as is_disputed,
          ${heldColumns},
          upper(booking.during) as page_time
        ${payableBookings(sql`${matches}
          ${readyOnly === 'true' ? sql`and ${hasBankDetails}` : sql``}
          ${after ? sql`and (upper(booking.during), booking.booking_id) > (${after.time}::timestamptz, ${after.id}::uuid)` : sql``}`)}
        order by upper(booking.during), booking.booking_id
        limit ${limit + 1}
      )
      select page.booking_id, page.coach_id, coach.full_name as coach_name, customer.full_name as customer_name,
        page.title, page.end_time, page.amount_cents, page.has_bank_details, page.is_disputed, page.disputed_cents,
        page.refunded_outside_cents, page.page_time
      from page
      join profiles coach on coach.user_id = page.coach_id
      join profiles customer on customer.user_id = page.customer_user_id
      order by page.page_time, page.booking_id`.execute(tx);
    return found.rows;
  });
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    bookings: page.map(({ pageTime: _, ...booking }) => booking),
    nextCursor: last ? writePageCursor({ time: last.pageTime, id: last.bookingId }) : null,
  };
}

/** The payable bookings by coach, by name; sums include ready ones only. At most 500 coaches, with the sums of all. */
export function listPayableCoaches(
  db: Database,
  filter: PayableFilter,
): Promise<OutputOf<typeof payoutsApi.listPayableCoaches>> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<PayableCoach & { allBookings: number; allCents: number }>`
      with payable as (
        select slot.coach_id, share.cents, ${hasBankDetails} as has_bank_details, ${isReady} as is_ready
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

/** The ids of up to `limit` payable bookings that are ready and match, locked in order if they are to be claimed. */
export async function findReadyBookings(
  tx: Tx,
  { coachIds, exceptBookingIds, ...filter }: Matching,
  { limit, isClaiming }: { limit: number; isClaiming: boolean },
): Promise<string[]> {
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

/**
 * How many lessons the next payrun can pay, and the total in cents: the oldest `limit` of them (`isMore` if there are
 * more).
 */
export function readReadySum(
  db: Database,
  limit: number,
): Promise<{ lessons: number; amountCents: number; isMore: boolean }> {
  return db.transaction().execute(async (tx) => {
    await planForValues(tx);
    // The planner assumes that ready bookings are rare and would read and sort all payable ones; the index has them
    // in order.
    await sql`set local enable_sort = off`.execute(tx);
    const { rows } = await sql<{ lessons: number; amountCents: number; isMore: boolean }>`
      with ready as (
        select oldest.cents, row_number() over () as number
        from (
          select share.cents
          ${payableBookings(sql`and ${isReady}`)}
          order by upper(booking.during), booking.booking_id
          limit ${limit + 1}
        ) oldest
      )
      select count(*) filter (where number <= ${limit}) as lessons,
        coalesce(sum(cents) filter (where number <= ${limit}), 0)::bigint as amount_cents,
        count(*) > ${limit} as is_more
      from ready`.execute(tx);
    return rows[0]!;
  });
}

/** Everyone matching a search who was ever a coach; a search with more matches than this matches nobody. */
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
