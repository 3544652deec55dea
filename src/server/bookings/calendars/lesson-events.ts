import { type RawBuilder, sql } from 'kysely';
import { type FeedScope, feedPastDays, shortenName } from '#domain/bookings/calendar-rules.ts';
import type { Booking } from '#domain/bookings/contract.ts';
import type { Location } from '#domain/catalogue/contract.ts';
import { formatLocation } from '#domain/location-text.ts';
import { shortReference } from '#domain/reference.ts';
import { locationObject } from '#server/catalogue/location-columns.ts';
import { longestLesson } from '#server/catalogue/queries.ts';
import type { Database } from '#server/platform/db/db.ts';
import { isVisibleTo } from '../visible-bookings.ts';
import type { CalendarEvent } from './calendar-file.ts';

/**
 * The maximum number of lessons in a feed; any later lessons are left out. A coach with eight lessons a day publishes
 * fewer in half a year.
 */
const maxEvents = 1_500;

/** The fields of a booking that its event shows. `startTime` and `endTime` are the booking's own, not the lesson's. */
export type BookedEvent = Pick<
  Booking,
  'bookingId' | 'title' | 'changedTo' | 'coachName' | 'location' | 'startTime' | 'endTime' | 'status'
> & {
  sequence: number;
  /** The dependant who takes part; null if the customer does. */
  participantName: string | null;
};

/** Returns the calendar event of a customer's booking. */
export function toBookedEvent(booking: BookedEvent, publicUrl: string): CalendarEvent {
  const { bookingId, startTime, endTime, sequence, status, participantName } = booking;
  return {
    uid: bookingId,
    sequence,
    title: (booking.changedTo ?? booking).title,
    description: [
      `With ${booking.coachName}`,
      ...(participantName ? [`For ${shortenName(participantName)}`] : []),
      `Booking reference: ${shortReference(bookingId)}`,
    ].join('\n'),
    location: formatLocation(booking.location),
    startTime,
    endTime,
    isCancelled: status === 'cancelled' || status === 'refunded',
    url: `${publicUrl}/customer/bookings/${bookingId}`,
  };
}

type EventsOf = { userId: string; publicUrl: string };

const isRecent = (start: RawBuilder<unknown>) =>
  sql`${start} > now() - interval '1 day' * ${sql.lit(feedPastDays)} - ${longestLesson}`;
const wasCancelledRecently = (at: RawBuilder<unknown>) =>
  sql`${at} > now() - interval '1 day' * ${sql.lit(feedPastDays)}`;

/**
 * Reads the lessons of a feed: those of the last 30 days and all upcoming lessons, up to {@link maxEvents}. Cancelled
 * lessons are included for 30 days after the cancellation.
 */
export const listEvents: Record<FeedScope, (db: Database, of: EventsOf) => Promise<CalendarEvent[]>> = {
  customer: async (db, { userId, publicUrl }) => {
    const { rows } = await sql<BookedEvent>`
      select ${bookedColumns} from bookings booking
      where customer_user_id = ${userId}::uuid and ${isRecent(sql`lower(during)`)}
        and upper(during) > now() - interval '1 day' * ${sql.lit(feedPastDays)}
        and (status in ('booked', 'attended')
          or (status in ('cancelled', 'refunded') and ${wasCancelledRecently(sql`cancelled_at`)}))
      order by lower(during), booking_id limit ${sql.lit(maxEvents)}`.execute(db);
    return rows.map((row) => toBookedEvent(row, publicUrl));
  },
  coach: async (db, { userId, publicUrl }) => {
    const { rows } =
      await selectGiven(sql`slot.coach_id = ${userId}::uuid and ${isRecent(sql`slot.start_time`)}
        and slot.end_time > now() - interval '1 day' * ${sql.lit(feedPastDays)}
        and (slot.status <> 'cancelled' or ${wasCancelledRecently(sql`slot.cancelled_at`)})`).execute(db);
    return rows.map((row) => toGivenEvent(row, publicUrl));
  },
};

/**
 * The event of a booking that this person made or that is for one of their dependants; null for any other booking, and
 * for a pending or released one.
 */
export async function findBookedEvent(
  db: Database,
  { userId, publicUrl, bookingId }: EventsOf & { bookingId: string },
): Promise<CalendarEvent | null> {
  const { rows } = await sql<BookedEvent>`
    select ${bookedColumns} from bookings booking
    where booking_id = ${bookingId}::uuid and ${isVisibleTo(userId)}
      and status not in ('pending', 'released')`.execute(db);
  return rows[0] ? toBookedEvent(rows[0], publicUrl) : null;
}

/** The event of a coach's own lesson; null for another coach's lesson. */
export async function findGivenEvent(
  db: Database,
  { userId, publicUrl, slotId }: EventsOf & { slotId: string },
): Promise<CalendarEvent | null> {
  const { rows } = await selectGiven(
    sql`slot.slot_id = ${slotId}::uuid and slot.coach_id = ${userId}::uuid`,
  ).execute(db);
  return rows[0] ? toGivenEvent(rows[0], publicUrl) : null;
}

const bookedColumns = sql`booking_id, title, changed_to, coach_name, location, status, sequence,
  lower(during) as start_time, upper(during) as end_time, case when participant_id <> customer_user_id then (
    select name_of_participant(participant) from participants participant
    where participant.participant_id = booking.participant_id) end as participant_name`;

type GivenRow = {
  slotId: string;
  title: string;
  location: Location | null;
  startTime: string;
  endTime: string;
  status: string;
  sequence: number;
  bookedCount: number;
  maxCapacity: number;
  /** The names of everyone with a seat, in the order of booking; null for a deleted account or dependant. */
  attendees: (string | null)[];
};

const selectGiven = (which: RawBuilder<unknown>) => sql<GivenRow>`
  select slot.slot_id, template.title, ${locationObject('location')} as location, start_time, end_time, slot.status,
    slot.sequence, slot.booked_count, slot.max_capacity, array(
      select case when participant.deleted_at is null then name_of_participant(participant) end from bookings booking
      join participants participant using (participant_id)
      where booking.slot_id = slot.slot_id and booking.status in ('booked', 'attended')
      order by booked_at, booking_id
    ) as attendees
  from lesson_slots slot
  join lesson_templates template using (template_id)
  left join locations location on location.location_id = slot.location_id
  where ${which}
  order by start_time, slot_id limit ${sql.lit(maxEvents)}`;

function toGivenEvent(row: GivenRow, publicUrl: string): CalendarEvent {
  const { slotId, title, attendees, startTime, endTime, sequence, status } = row;
  const names = attendees.map(shortenName).join(', ');
  return {
    uid: slotId,
    sequence,
    title: `${title} (${row.bookedCount}/${row.maxCapacity})`,
    description: names ? `Booked: ${names}` : 'No bookings',
    location: row.location ? formatLocation(row.location) : 'No location given',
    startTime,
    endTime,
    isCancelled: status === 'cancelled',
    url: `${publicUrl}/coach/lesson/${slotId}`,
  };
}
