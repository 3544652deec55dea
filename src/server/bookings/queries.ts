import { type RawBuilder, sql } from 'kysely';
import { nameAttendee } from '#domain/bookings/attendee-status.ts';
import { describePolicy, policyFields } from '#domain/bookings/cancellation-policy.ts';
import type { Booking, bookingsApi } from '#domain/bookings/contract.ts';
import type { RefundStatus } from '#domain/bookings/rules.ts';
import { isSameContent, lessonContentFields } from '#domain/catalogue/lesson-content.ts';
import { isSameLocation } from '#domain/catalogue/location.ts';
import type { LessonContent } from '#domain/catalogue/template.ts';
import type { OutputOf, ParsedInputOf } from '#domain/endpoint.ts';
import { AppError } from '#domain/errors.ts';
import { sizedUrl } from '#domain/storage/picture-url.ts';
import { coachAddressOf } from '#server/businesses/coach-public-name.ts';
import { locationObject } from '#server/catalogue/location-columns.ts';
import { longestLesson } from '#server/catalogue/queries.ts';
import { type Recipient, recipientObject } from '#server/notifications/recipients.ts';
import type { BookingMessageData } from '#server/notifications/templates/bookings.ts';
import type { Database } from '#server/platform/db/db.ts';
import { jsonObject } from '#server/platform/db/json-object.ts';
import { keepStatement } from '#server/platform/db/keep-statement.ts';
import { cutPage, readPageCursor, rowsOfPage } from '#server/platform/db/page-cursor.ts';
import { parseSetting, storedSetting } from '#server/settings/queries.ts';
import { publicAvatarOf } from '#server/storage/queries.ts';
import { isPaidTogether, listPaidTogether } from './booking/paid-together.ts';
import { hasFeedInUse } from './calendars/calendar-feeds.ts';
import { isVisibleTo } from './visible-bookings.ts';

/**
 * SQL for lateral joins: the total refunded for a booking (aliased `booking`), in minor units, and the combined status
 * of its refunds, as the contract describes a booking's `refund`.
 */
export const refundOfBooking = sql<{ refundCents: number | null; refundStatus: RefundStatus | null }>`(
  select sum(line.amount_cents)::integer as refund_cents,
    case when bool_or(status = 'failed') then 'failed' when bool_or(status = 'pending') then 'pending'
      when bool_or(status = 'settled') then 'settled' else min(status) end as refund_status
  from refund_lines line join refunds using (refund_id) where line.booking_id = booking.booking_id
)`;

/**
 * SQL columns for a customer: the number of bookings and holds for lessons that are not over, and the sum of pending
 * and failed refunds, in minor units.
 */
export const unfinishedOfCustomer = (userId: RawBuilder<unknown>) => sql`
  (select count(*) from bookings
    where customer_user_id = ${userId} and is_active and upper(during) > now())::int as lessons_ahead,
  (select coalesce(sum(refund.amount_cents), 0) from refunds refund join payments using (payment_id)
    where customer_user_id = ${userId} and refund.status in ('pending', 'failed'))::bigint as refund_cents`;

/** SQL for a lesson's content, from its template or from a booking, as one JSON object. */
export const contentObject = (alias: string) => jsonObject<LessonContent>(alias, lessonContentFields);

/**
 * Selects bookings with everything that lists, receipts and emails show: the lesson's details at the time of booking,
 * and later changes.
 */
function selectBookings(db: Database) {
  return db
    .selectFrom('bookings as booking')
    .innerJoin('lessonSlots as slot', 'slot.slotId', 'booking.slotId')
    .innerJoin('payments as payment', 'payment.paymentId', 'booking.paymentId')
    .innerJoin('participants as participant', 'participant.participantId', 'booking.participantId')
    .leftJoinLateral(refundOfBooking.as<'refund'>(sql`refund`), (join) => join.onTrue())
    .select([
      'booking.bookingId',
      'booking.slotId',
      'booking.status',
      'booking.amountCents',
      'booking.createdAt',
      'booking.cancelledAt',
      'booking.cancelledBy',
      'slot.cancellationReason',
      ...policyFields.map((field) => `booking.${field}` as const),
      ...lessonContentFields.map((field) => `booking.${field}` as const),
      'slot.lessonType',
      'slot.coachId',
      'booking.coachName',
      coachAddressOf('slot.coachId').as('coachAddress'),
      // A cancelled booking keeps its time, even if its lesson moves later.
      sql<string>`lower(booking.during)`.as('startTime'),
      sql<string>`upper(booking.during)`.as('endTime'),
      sql<string | null>`lower(booking.moved_from)`.as('movedFromStart'),
      sql<string | null>`upper(booking.moved_from)`.as('movedFromEnd'),
      sql<Booking['relocatedFrom']>`booking.relocated_from`.as('relocatedFrom'),
      sql<Booking['changedTo']>`booking.changed_to`.as('changedTo'),
      'slot.status as slotStatus',
      sql<Booking['location']>`booking.location`.as('location'),
      'payment.cardBrand',
      'payment.cardLastFour',
      'refund.refundCents',
      'refund.refundStatus',
      'booking.participantId',
      sql<string>`name_of_participant(participant)`.as('participantName'),
      'booking.customerUserId',
      sql<string>`(select full_name from profiles where user_id = booking.customer_user_id)`.as('payerName'),
    ]);
}

type BookingRow = Awaited<ReturnType<ReturnType<typeof selectBookings>['execute']>>[number];

/** A booking as its customer or another guardian of its participant sees it. */
function toBooking(row: BookingRow, viewerId = row.customerUserId): Booking {
  const {
    cardBrand,
    cardLastFour,
    refundCents,
    refundStatus,
    sport,
    movedFromStart,
    movedFromEnd,
    participantId,
    participantName,
    customerUserId,
    payerName,
    ...booking
  } = row;
  const isPayer = viewerId === customerUserId;
  return {
    ...booking,
    participant: { participantId, name: participantName, isSelf: participantId === customerUserId },
    payerName: isPayer ? null : nameAttendee(payerName),
    sport: sport as Booking['sport'],
    card: isPayer && cardBrand && cardLastFour ? { brand: cardBrand, lastFour: cardLastFour } : null,
    movedFrom: movedFromStart ? { startTime: movedFromStart, endTime: movedFromEnd! } : null,
    refund: isPayer && refundStatus ? { amountCents: refundCents!, status: refundStatus } : null,
  };
}

// The condition on the start lets PostgreSQL use the index on start times; the database limits lessons to five hours.
const views = {
  upcoming: sql<boolean>`lower(booking.during) > now() - ${longestLesson} and upper(booking.during) > now()`,
  past: sql<boolean>`lower(booking.during) < now() and upper(booking.during) <= now()`,
};

const isOfCustomer = (userId: string) => sql<boolean>`booking.customer_user_id = ${userId}::uuid`;

async function hasDependants(db: Database, userId: string): Promise<boolean> {
  const found = await db
    .selectFrom('guardians')
    .select('participantId')
    .where('userId', '=', userId)
    .limit(sql.lit(1))
    .executeTakeFirst();
  return found !== undefined;
}

/**
 * A page of the bookings of a customer and their dependants. Without `view`, the newest booking comes first; upcoming
 * lessons are listed soonest first, past lessons latest first. Released and expired holds are left out. Throws
 * `unprocessable` for a malformed cursor.
 */
export async function listBookings(
  db: Database,
  userId: string,
  { view, cursor, limit }: ParsedInputOf<typeof bookingsApi.listMine>,
): Promise<OutputOf<typeof bookingsApi.listMine>> {
  const after = readPageCursor(cursor);
  const time = view ? sql`lower(booking.during)` : sql`booking.created_at`;
  const isAscending = view === 'upcoming';
  // For a customer without dependants, PostgreSQL reads the bookings in order from an index.
  const rows = await selectBookings(db)
    .where((await hasDependants(db, userId)) ? isVisibleTo(userId) : isOfCustomer(userId))
    .where((is) =>
      is.or([
        is('booking.status', 'not in', ['pending', 'released']),
        is.and([is('booking.status', '=', 'pending'), is('booking.holdExpiresAt', '>', sql<string>`now()`)]),
      ]),
    )
    .$if(view !== undefined, (query) => query.where(views[view!]))
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(${time}, booking.booking_id) ${isAscending ? sql`>` : sql`<`} (${after!.time}::timestamptz, ${after!.id}::uuid)`,
      ),
    )
    .orderBy(time, isAscending ? 'asc' : 'desc')
    .orderBy('booking.bookingId', isAscending ? 'asc' : 'desc')
    .limit(rowsOfPage(limit))
    .execute();
  const { page, nextCursor } = cutPage(rows, limit, ({ startTime, createdAt, bookingId }) => ({
    time: view ? startTime : createdAt,
    id: bookingId,
  }));
  return { bookings: page.map((row) => toBooking(row, userId)), nextCursor };
}

/** Reads a booking of this customer or of a dependant; throws `not_found` for any other booking. */
export async function getBooking(db: Database, userId: string, bookingId: string): Promise<Booking> {
  const row = await selectBookings(db)
    .where('booking.bookingId', '=', bookingId)
    .where(isVisibleTo(userId))
    .executeTakeFirst();
  if (!row) throw new AppError('not_found', 'Booking not found.');
  return toBooking(row, userId);
}

/** A customer's counts of lessons and minutes of past lessons, their three newest bookings and next booked lesson. */
export async function getStats(
  db: Database,
  userId: string,
): Promise<OutputOf<typeof bookingsApi.getMyStats>> {
  const [{ rows }, { bookings }, next] = await Promise.all([
    sql<{ lessonsBooked: number; upcoming: number; totalMinutes: number }>`
      select closed.lessons + open.lessons as lessons_booked, open.upcoming,
        closed.minutes + open.minutes as total_minutes
      from closed_sums
      cross join lateral (
        select count(*) as lessons, count(*) filter (where lower(during) >= now()) as upcoming,
          coalesce(sum(extract(epoch from upper(during) - lower(during)) / 60)
            filter (where upper(during) <= now()), 0)::bigint as minutes
        from bookings
        where customer_user_id = ${userId}::uuid and lower(during) >= closed_sums.until
          and status in ('booked', 'attended')
      ) open
      cross join (
        select coalesce(sum(lessons), 0)::bigint as lessons, coalesce(sum(minutes), 0)::bigint as minutes
        from customer_coaches where customer_user_id = ${userId}::uuid
      ) closed
      where closed_sums.name = 'customer_coaches'`.execute(db),
    listBookings(db, userId, { limit: 3 }),
    selectBookings(db)
      .where('booking.customerUserId', '=', userId)
      // A literal status: with a bound status, PostgreSQL would plan this query again at every call.
      .where(sql<boolean>`booking.status = 'booked'`)
      .where(views.upcoming)
      .orderBy(sql`lower(booking.during)`)
      .limit(sql.lit(1))
      .executeTakeFirst(),
  ]);
  return { ...rows[0]!, recent: bookings, next: next ? toBooking(next) : null };
}

/** The data and recipient of a booking's messages, and the fields that decide which calendar file is attached. */
export type BookingNotice = BookingMessageData & {
  booking: Booking;
  brand: string;
  recipient: Recipient;
  isOutdated: boolean;
  sequence: number;
  isInvited: boolean;
  hasFeed: boolean;
};

const readMessageRow = keepStatement((db, [bookingId]: [string]) =>
  selectBookings(db)
    .innerJoin('profiles as customer', 'customer.userId', 'booking.customerUserId')
    .innerJoin('lessonTemplates as template', 'template.templateId', 'slot.templateId')
    .leftJoin('locations as location', 'location.locationId', 'slot.locationId')
    .select([
      recipientObject('customer').as('recipient'),
      storedSetting('brand').as('storedBrand'),
      contentObject('template').as('currentContent'),
      locationObject('location').as('currentLocation'),
      'booking.sequence',
      'booking.isInvited',
      hasFeedInUse('booking.customerUserId').as('hasFeed'),
      publicAvatarOf('slot.coachId').as('coachAvatarUrl'),
      isPaidTogether.as('isPaidTogether'),
    ])
    .where('booking.bookingId', '=', bookingId),
);

/**
 * The data and recipient of a booking's messages; null if the booking does not exist. `isOutdated`: the booking does
 * not record the lesson's current content or location.
 */
export async function readBookingMessageData(db: Database, bookingId: string): Promise<BookingNotice | null> {
  const [row] = await readMessageRow(db, [bookingId]);
  if (!row) return null;
  const {
    recipient,
    storedBrand,
    currentContent,
    currentLocation,
    sequence,
    isInvited,
    hasFeed,
    coachAvatarUrl,
    isPaidTogether: hasOthers,
    ...booking
  } = row;
  const own = toBooking(booking);
  return {
    ...{ booking: own, sequence, isInvited, hasFeed },
    coachPicture: coachAvatarUrl && sizedUrl(coachAvatarUrl, 128),
    terms: describePolicy(own, Date.now()),
    recipient,
    fullName: recipient.fullName,
    participantName: own.participant.isSelf ? null : own.participant.name,
    paidTogether: hasOthers ? await listPaidTogether(db, row.customerUserId, bookingId) : [],
    brand: parseSetting('brand', storedBrand).name,
    isOutdated:
      !isSameContent(own.changedTo ?? own, currentContent) || !isSameLocation(own.location, currentLocation),
  };
}
