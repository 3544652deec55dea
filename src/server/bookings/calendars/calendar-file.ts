import { setImmediate as yieldToRequests } from 'node:timers/promises';
import ical, {
  ICalAttendeeStatus,
  ICalCalendarMethod,
  ICalEventStatus,
  ICalEventTransparency,
} from 'ical-generator';
import { Temporal } from 'temporal-polyfill';
import { type Instant, instantOf, type LessonTime, lessonTimeZone, wallTimeOf } from '#domain/time.ts';

/** A lesson as one event of a calendar. */
export type CalendarEvent = {
  /** The id of the booking, or of the slot for a coach: a UUID, as RFC 7986 (5.3) advises. Never changes. */
  uid: string;
  /** The event's stored version number. A calendar program ignores an event with a lower number than its copy. */
  sequence: number;
  title: string;
  description: string;
  location: string;
  startTime: Instant;
  endTime: Instant;
  isCancelled: boolean;
  /** The lesson's page on this site. */
  url: string;
};

/** A person or club in an event. */
type Party = { name: string; email: string };

/**
 * The rules for London time since 1996: an hour forward on the last Sunday of March at 01:00 UTC, back on the last
 * Sunday of October. Some programs do not know the zone by its name, and RFC 5545 (3.2.19) requires its definition.
 */
const londonTime = `BEGIN:VTIMEZONE
TZID:${lessonTimeZone}
BEGIN:DAYLIGHT
DTSTART:19960331T010000
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
TZNAME:BST
TZOFFSETFROM:+0000
TZOFFSETTO:+0100
END:DAYLIGHT
BEGIN:STANDARD
DTSTART:19961027T020000
RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
TZNAME:GMT
TZOFFSETFROM:+0100
TZOFFSETTO:+0000
END:STANDARD
END:VTIMEZONE`;

/**
 * The number of events rendered at a time. Rendering them takes a few milliseconds, and other requests run in between.
 */
const eventsAtOnce = 20;

type CalendarOptions = {
  method: 'PUBLISH' | 'REQUEST' | 'CANCEL';
  organizer: Party;
  /** The person invited by an email. Undefined for files and feeds: RFC 5546 (3.2.1) forbids attendees in PUBLISH. */
  attendee?: Party;
  /** For a feed: the calendar's name, and how often programs should read the feed, in seconds. */
  feed?: { name: string; ttlSeconds: number };
};

/** Writes one event as a file. DTSTAMP is the time of the call. */
export function writeEvent(event: CalendarEvent, options: CalendarOptions): string {
  return `${write([event], options)}\r\n`;
}

/** Writes a feed in steps, between which other requests run, because a coach may have hundreds of lessons. */
export async function writeFeed(events: readonly CalendarEvent[], options: CalendarOptions): Promise<string> {
  // The library defines the zone only if an event names it, and the earliest event may be in UTC.
  const typical = events.find(isInLocalTime) ?? events[0];
  let file = split(write(typical ? [typical] : [], options)).head;
  for (let from = 0; from < events.length; from += eventsAtOnce) {
    file += split(write(events.slice(from, from + eventsAtOnce), options)).events;
    await yieldToRequests();
  }
  return `${file}END:VCALENDAR\r\n`;
}

/** Splits a calendar into the lines before its first event, and the events. */
function split(calendar: string): { head: string; events: string } {
  const to = calendar.lastIndexOf('END:VCALENDAR');
  const from = calendar.indexOf('\r\nBEGIN:VEVENT\r\n') + 2;
  return from < 2
    ? { head: calendar.slice(0, to), events: '' }
    : { head: calendar.slice(0, from), events: calendar.slice(from, to) };
}

function write(
  events: readonly CalendarEvent[],
  { method, organizer, attendee, feed }: CalendarOptions,
): string {
  const calendar = ical({
    prodId: '//Sports lessons//Calendar//EN',
    method: ICalCalendarMethod[method],
    // No name: with a name, the library would write DTSTAMP in that zone, but DTSTAMP must be in UTC.
    timezone: { name: null, generator: () => londonTime },
    ...(feed && { name: escapeName(feed.name), ttl: feed.ttlSeconds }),
  });
  for (const {
    uid,
    sequence,
    title,
    description,
    location,
    startTime,
    endTime,
    isCancelled,
    url,
  } of events) {
    const isLocal = isInLocalTime({ startTime, endTime });
    const event = calendar.createEvent({
      id: uid,
      sequence,
      summary: isCancelled ? `Cancelled: ${title}` : title,
      description,
      location,
      url,
      start: isLocal ? zonedTime(startTime) : new Date(startTime),
      end: isLocal ? zonedTime(endTime) : new Date(endTime),
      timezone: isLocal ? lessonTimeZone : null,
      stamp: new Date(),
      status: isCancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
      transparency: isCancelled ? ICalEventTransparency.TRANSPARENT : ICalEventTransparency.OPAQUE,
      organizer: quotable(organizer),
    });
    // Requests no reply, because the lesson is already booked.
    if (attendee) {
      event.createAttendee({ ...quotable(attendee), rsvp: false, status: ICalAttendeeStatus.ACCEPTED });
    }
  }
  return calendar.toString();
}

/**
 * Whether a lesson is written in local time. A lesson that begins or ends in the two hours of October that have the
 * same local times is written in UTC: a repeated local time means the first of the two hours (RFC 5545, 3.3.5), but
 * some programs take the second.
 */
const isInLocalTime = ({ startTime, endTime }: LessonTime): boolean =>
  hasOneInstant(startTime) && hasOneInstant(endTime);

const hasOneInstant = (instant: Instant): boolean => instantOf(wallTimeOf(instant)).occurrence === 'exact';

const zonedTime = (instant: Instant) => Temporal.Instant.from(instant).toZonedDateTimeISO(lessonTimeZone);

/** The library does not escape a calendar's name. */
const escapeName = (name: string): string => name.replace(/[\\;,]/g, '\\$&');

/** Replaces backslashes and the characters that a quoted parameter cannot contain (RFC 5545, 3.1). */
const quotable = ({ name, email }: Party): Party => ({
  name:
    name
      .replaceAll('"', '’')
      .replace(/[\p{Cc}\\]/gu, ' ')
      .trim() || email,
  email,
});
