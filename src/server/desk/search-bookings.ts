import { type RawBuilder, sql } from 'kysely';
import type { deskApi } from '#domain/desk/contract.ts';
import type { FoundBooking } from '#domain/desk/desk-booking.ts';
import type { OutputOf, ParsedInputOf } from '#domain/endpoint.ts';
import { AppError } from '#domain/errors.ts';
import { instantsOf } from '#domain/period.ts';
import { matchesSearch, planForValues } from '#server/accounts/search-people.ts';
import { coachFullName } from '#server/bookings/coach-full-name.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { cutPage, readPageCursor, rowsOfPage } from '#server/platform/db/page-cursor.ts';

/** Timeout of each statement of a search, in ms. Shorter than usual, because admins can narrow a search down. */
const searchTimeoutMs = 1_200;

/** PostgreSQL's codes for a statement that was cancelled, or that waited too long for a lock. */
const tooLong = ['57014', '55P03'];

/** The maximum number of people, of dependants and of templates that a text can match; the newest are kept. */
const maxMatches = 100;

const reference = /^[\da-f]{8}(-[\da-f]{4}){0,3}$/i;
const wholeId = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const digits = /^\d{4}$/;

type Search = ParsedInputOf<typeof deskApi.search>;
type Cut = { after: RawBuilder<unknown>; limit: number };

/**
 * A page of the bookings that match a reference, a card's last four digits, or part of a person's name or
 * email address or of a lesson's title, on a date if one is given; latest lesson first. Throws
 * `unprocessable` for an invalid cursor, and `unavailable` if the search takes too long.
 */
export async function searchBookings(
  db: Database,
  { search, date, cursor, limit }: Search,
): Promise<OutputOf<typeof deskApi.search>> {
  if (!search && !date) return { bookings: [], nextCursor: null };
  const end = readPageCursor(cursor);
  // The first condition lets PostgreSQL use the indexes on the start time.
  const after = end
    ? sql`and slot.start_time <= ${end.time}::timestamptz
        and (slot.start_time, booking.booking_id) < (${end.time}::timestamptz, ${end.id}::uuid)`
    : sql``;
  const rows = await withinTime(db, async (tx) => {
    const found = date ? findOn(date, search, after) : await findBy(tx, search!, { after, limit });
    const { rows } = await selectFound(found, after, limit).execute(tx);
    return rows;
  });
  const { page, nextCursor } = cutPage(rows, limit, ({ slotStart, bookingId }) => ({
    time: slotStart,
    id: bookingId,
  }));
  return { bookings: page.map(({ slotStart: _, ...booking }) => booking), nextCursor };
}

async function withinTime<T>(db: Database, run: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await db.transaction().execute(async (tx) => {
      await sql`set local statement_timeout = ${sql.lit(searchTimeoutMs)}`.execute(tx);
      await planForValues(tx);
      return run(tx);
    });
  } catch (error) {
    if (!tooLong.includes((error as { code?: string }).code ?? '')) throw error;
    const message = 'This search took too long. Please add a date, or type more of the name.';
    throw new AppError('unavailable', message, { cause: error });
  }
}

/** SQL for the ids of the bookings that match a text. */
async function findBy(tx: Tx, search: string, cut: Cut): Promise<RawBuilder<unknown>> {
  const range = readReference(search);
  if (range) {
    return sql`select booking_id from bookings where booking_id between ${range.first}::uuid and ${range.last}::uuid`;
  }
  if (digits.test(search)) {
    return sql`select line.booking_id from payments join payment_lines line using (payment_id)
      where card_last_four = ${search}`;
  }
  const people = await tx
    .selectFrom('profiles')
    .select('userId')
    .where(matchesSearch(search))
    .orderBy('createdAt', 'desc')
    .limit(maxMatches)
    .execute();
  const userIds = people.map(({ userId }) => userId);
  const ofPeople = sql`select booking_id from bookings where customer_user_id = any(${userIds}::uuid[])`;
  // The trigram indexes need a word of at least three letters.
  if (!/[\p{L}\p{N}]{3}/u.test(search)) return ofPeople;
  const pattern = containing(search);
  return sql`
    ${ofPeople}
    union
    select booking_id from bookings
    where participant_id <> customer_user_id and participant_id in (
      select participant_id from participants where full_name ilike ${pattern}
      order by created_at desc limit ${sql.lit(maxMatches)})
    union
    select found.booking_id
    from (select template_id from lesson_templates where title ilike ${pattern}
      order by created_at desc limit ${sql.lit(maxMatches)}) template
    cross join lateral (
      select booking.booking_id from lesson_slots slot join bookings booking using (slot_id)
      where slot.template_id = template.template_id ${cut.after}
      order by slot.start_time desc, booking.booking_id desc limit ${cut.limit + 1}
    ) found`;
}

/** SQL for the ids of the bookings of a day's lessons, limited to those that match a text if one is given. */
function findOn(date: string, search: string | undefined, after: RawBuilder<unknown>): RawBuilder<unknown> {
  const { since, until } = instantsOf({ from: date, to: date });
  return sql`
    select booking.booking_id
    from lesson_slots slot
    join bookings booking using (slot_id)
    join profiles customer on customer.user_id = booking.customer_user_id
    join participants participant using (participant_id)
    where slot.start_time >= ${since}::timestamptz and slot.start_time < ${until}::timestamptz ${after}
      ${search ? sql`and ${matches(search)}` : sql``}`;
}

function matches(search: string): RawBuilder<unknown> {
  const range = readReference(search);
  if (range) return sql`booking.booking_id between ${range.first}::uuid and ${range.last}::uuid`;
  if (digits.test(search)) {
    return sql`exists (select from payment_lines line join payments using (payment_id)
      where line.booking_id = booking.booking_id and card_last_four = ${search})`;
  }
  const pattern = containing(search);
  return sql`(customer.full_name ilike ${pattern} or customer.email ilike ${pattern}
    or participant.full_name ilike ${pattern} or booking.title ilike ${pattern})`;
}

/** The first and last id that a reference can stand for. A reference is the beginning of an id, or all of it. */
function readReference(search: string): { first: string; last: string } | null {
  const typed = search.toLowerCase();
  if (wholeId.test(typed)) return { first: typed, last: typed };
  if (!reference.test(typed)) return null;
  const rest = (digit: string) =>
    '00000000-0000-0000-0000-000000000000'.slice(typed.length).replaceAll('0', digit);
  return { first: typed + rest('0'), last: typed + rest('f') };
}

const containing = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** SQL columns of the contract's `FoundBooking`, from `bookings booking` and {@link foundJoins}. */
export const foundColumns = sql`
  booking.booking_id, booking.status, booking.title, lower(booking.during) as start_time,
  upper(booking.during) as end_time, customer.full_name as customer_name,
  customer.email as customer_email,
  case when booking.participant_id <> booking.customer_user_id
    then name_of_participant(participant) end as participant_name,
  ${coachFullName} as coach_name,
  booking.amount_cents, booking.refunded_cents,
  case when payment.card_brand is not null
    then jsonb_build_object('brand', payment.card_brand, 'lastFour', payment.card_last_four) end as card`;

/** SQL joins for {@link foundColumns}, after `bookings booking`. */
export const foundJoins = sql`
  join lesson_slots slot using (slot_id)
  join payments payment on payment.payment_id = booking.payment_id
  join profiles customer on customer.user_id = booking.customer_user_id
  join participants participant on participant.participant_id = booking.participant_id
  join profiles coach on coach.user_id = slot.coach_id`;

const selectFound = (found: RawBuilder<unknown>, after: RawBuilder<unknown>, limit: number) =>
  sql<FoundBooking & { slotStart: string }>`
    with found as materialized (${found})
    select ${foundColumns}, slot.start_time as slot_start
    from (select distinct booking_id from found) one
    join bookings booking using (booking_id)
    ${foundJoins}
    where true ${after}
    order by slot.start_time desc, booking.booking_id desc
    limit ${rowsOfPage(limit)}`;
