import { type RawBuilder, sql } from 'kysely';
import { attendeeStatuses } from '#domain/bookings/attendee-status.ts';
import { describePolicy, policyFields } from '#domain/bookings/cancellation-policy.ts';
import type { Booking, bookingsApi } from '#domain/bookings/contract.ts';
import type { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import type { RefundStatus } from '#domain/bookings/rules.ts';
import { isSameContent, lessonContentFields } from '#domain/catalogue/lesson-content.ts';
import { isSameLocation } from '#domain/catalogue/location.ts';
import type { LessonContent } from '#domain/catalogue/template.ts';
import type { OutputOf, ParsedInputOf } from '#domain/endpoint.ts';
import { AppError } from '#domain/errors.ts';
import { sizedUrl } from '#domain/storage/picture-url.ts';
import { locationObject } from '#server/catalogue/location-columns.ts';
import { longestLesson } from '#server/catalogue/queries.ts';
import { type Recipient, recipientObject } from '#server/notifications/recipients.ts';
import type { BookingMessageData } from '#server/notifications/templates/bookings.ts';
import type { Database } from '#server/platform/db/db.ts';
import { jsonObject } from '#server/platform/db/json-object.ts';
import { cutPage, readPageCursor } from '#server/platform/db/page-cursor.ts';
import { parseSetting, storedSetting } from '#server/settings/queries.ts';
import { publicAvatarOf } from '#server/storage/queries.ts';
import { hasFeedInUse } from './calendars/calendar-feeds.ts';

/**
 * SQL for lateral joins: the total refunded of a booking (aliased `booking`) in cents and the combined status of its
 * refunds, as `refund` of the contract's booking describes it.
 */
export const refundOfBooking = sql<{ refundCents: number | null; refundStatus: RefundStatus | null }>`(
  select sum(line.amount_cents)::integer as refund_cents,
    case when bool_or(status = 'failed') then 'failed' when bool_or(status = 'pending') then 'pending'
      when bool_or(status = 'settled') then 'settled' else min(status) end as refund_status
  from refund_lines line join refunds using (refund_id) where line.booking_id = booking.booking_id
)`;

/**
 * SQL columns for a customer: the number of bookings and holds for lessons that are not over, and the sum of pending
 * and failed refunds, in cents.
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
    ]);
}

type BookingRow = Awaited<ReturnType<ReturnType<typeof selectBookings>['execute']>>[number];

function toBooking(row: BookingRow): Booking {
  const {
    cardBrand,
    cardLastFour,
    refundCents,
    refundStatus,
    sport,
    movedFromStart,
    movedFromEnd,
    ...booking
  } = row;
  return {
    ...booking,
    sport: sport as Booking['sport'],
    card: cardBrand && cardLastFour ? { brand: cardBrand, lastFour: cardLastFour } : null,
    movedFrom: movedFromStart ? { startTime: movedFromStart, endTime: movedFromEnd! } : null,
    refund: refundStatus ? { amountCents: refundCents!, status: refundStatus } : null,
  };
}

// The condition on the start lets PostgreSQL use the index on it; the database limits lessons to five hours.
const views = {
  upcoming: sql<boolean>`lower(booking.during) > now() - ${longestLesson} and upper(booking.during) > now()`,
  past: sql<boolean>`lower(booking.during) < now() and upper(booking.during) <= now()`,
};

/**
 * A page of the customer's bookings. Without `view`, the newest booking comes first; upcoming lessons are listed
 * soonest first, past lessons latest first. Released and expired holds are left out.
 */
export async function listBookings(
  db: Database,
  userId: string,
  { view, cursor, limit }: ParsedInputOf<typeof bookingsApi.listMine>,
): Promise<OutputOf<typeof bookingsApi.listMine>> {
  const after = readPageCursor(cursor);
  const time = view ? sql`lower(booking.during)` : sql`booking.created_at`;
  const isAscending = view === 'upcoming';
  const rows = await selectBookings(db)
    .where('booking.customerUserId', '=', userId)
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
    .limit(limit + 1)
    .execute();
  const { page, nextCursor } = cutPage(rows, limit, ({ startTime, createdAt, bookingId }) => ({
    time: view ? startTime : createdAt,
    id: bookingId,
  }));
  return { bookings: page.map(toBooking), nextCursor };
}

/** Reads a booking of this customer; throws `not_found` if the customer has no booking with this id. */
export async function getBooking(db: Database, userId: string, bookingId: string): Promise<Booking> {
  const row = await selectBookings(db)
    .where('booking.bookingId', '=', bookingId)
    .where('booking.customerUserId', '=', userId)
    .executeTakeFirst();
  if (!row) throw new AppError('not_found', 'Booking not found.');
  return toBooking(row);
}

/**
 * Counts booked lessons, upcoming lessons and the minutes of past lessons. Also returns the three newest bookings and
 * the next lesson.
 */
export async function getStats(
  db: Database,
  userId: string,
): Promise<OutputOf<typeof bookingsApi.getMyStats>> {
  const [{ rows }, { bookings }, next] = await Promise.all([
    sql<{ lessonsBooked: number; upcoming: number; totalMinutes: number }>`
      select count(*) as lessons_booked,
        count(*) filter (where slot.status = 'scheduled' and slot.start_time >= now()) as upcoming,
        coalesce(sum(extract(epoch from slot.end_time - slot.start_time) / 60)
          filter (where slot.end_time <= now() and slot.status <> 'cancelled'), 0)::bigint as total_minutes
      from bookings booking join lesson_slots slot using (slot_id)
      where booking.customer_user_id = ${userId}::uuid and booking.status in ('booked', 'attended')`.execute(
      db,
    ),
    listBookings(db, userId, { limit: 3 }),
    selectBookings(db)
      .where('booking.customerUserId', '=', userId)
      .where('booking.status', '=', 'booked')
      .where('slot.endTime', '>', sql<string>`now()`)
      .orderBy('slot.startTime')
      .limit(1)
      .executeTakeFirst(),
  ]);
  return { ...rows[0]!, recent: bookings, next: next ? toBooking(next) : null };
}

/** Everyone who booked a slot, also if cancelled, in order of booking; throws `not_found` for another coach's slot. */
export async function listAttendees(
  db: Database,
  coachId: string,
  slotId: string,
): Promise<OutputOf<typeof lessonsApi.listAttendees>['attendees']> {
  const rows = await db
    .selectFrom('lessonSlots as slot')
    .leftJoin('bookings as booking', (join) =>
      join.onRef('booking.slotId', '=', 'slot.slotId').on('booking.status', 'in', attendeeStatuses),
    )
    .leftJoin('profiles as customer', 'customer.userId', 'booking.customerUserId')
    .select([
      'booking.bookingId',
      'booking.status',
      'booking.amountCents',
      'booking.refundedCents',
      'booking.attended',
      'booking.bookedAt',
      'customer.fullName',
      'customer.email',
      'customer.avatarUrl',
    ])
    .where('slot.slotId', '=', slotId)
    .where('slot.coachId', '=', coachId)
    .orderBy('booking.bookedAt')
    .orderBy('booking.bookingId')
    .execute();
  if (rows.length === 0) throw new AppError('not_found', 'Lesson not found.');
  return rows.flatMap(
    ({ bookingId, status, amountCents, refundedCents, attended, bookedAt, fullName, email, avatarUrl }) =>
      bookingId
        ? {
            bookingId,
            fullName: fullName || null,
            email: email!,
            avatarUrl: avatarUrl ?? null,
            bookedAt: bookedAt!,
            status: status!,
            amountCents: amountCents!,
            refundedCents: refundedCents!,
            attended,
          }
        : [],
  );
}

/** The data and recipient of a booking's messages, and the data of the calendar file that may be attached. */
export type BookingNotice = BookingMessageData & {
  booking: Booking;
  brand: string;
  recipient: Recipient;
  isOutdated: boolean;
  sequence: number;
  isInvited: boolean;
  hasFeed: boolean;
};

/**
 * The data and recipient of a booking's messages; null if the booking does not exist. `isOutdated`: the customer has
 * not been notified of the lesson's current content or location.
 */
export async function readBookingMessageData(db: Database, bookingId: string): Promise<BookingNotice | null> {
  const row = await selectBookings(db)
    .innerJoin('profiles as customer', 'customer.userId', 'booking.customerUserId')
    .select(recipientObject('customer').as('recipient'))
    .select(storedSetting('brand').as('storedBrand'))
    .innerJoin('lessonTemplates as template', 'template.templateId', 'slot.templateId')
    .leftJoin('locations as location', 'location.locationId', 'slot.locationId')
    .select([
      contentObject('template').as('currentContent'),
      locationObject('location').as('currentLocation'),
      'booking.sequence',
      'booking.isInvited',
      hasFeedInUse('booking.customerUserId').as('hasFeed'),
      publicAvatarOf('slot.coachId').as('coachAvatarUrl'),
    ])
    .where('booking.bookingId', '=', bookingId)
    .executeTakeFirst();
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
    ...booking
  } = row;
  const own = toBooking(booking);
  return {
    booking: own,
    sequence,
    isInvited,
    hasFeed,
    coachPicture: coachAvatarUrl && sizedUrl(coachAvatarUrl, 128),
    terms: describePolicy(own, Date.now()),
    recipient,
    fullName: recipient.fullName,
    brand: parseSetting('brand', storedBrand).name,
    isOutdated:
      !isSameContent(own.changedTo ?? own, currentContent) || !isSameLocation(own.location, currentLocation),
  };
}
