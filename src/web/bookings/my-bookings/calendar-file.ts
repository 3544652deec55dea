import type { Booking } from '#domain/bookings/contract.ts';
import { formatLocation } from '#domain/location-text.ts';

export type CalendarLesson = Pick<
  Booking,
  'bookingId' | 'title' | 'coachName' | 'startTime' | 'endTime' | 'location'
>;

const inUtc = (ms: number) => `${new Date(ms).toISOString().replace(/[-:]/g, '').slice(0, 15)}Z`;
const escaped = (text: string) => text.replace(/[\\;,]/g, '\\$&').replace(/\r?\n/g, '\\n');

/** Splits a line after at most 75 octets; continuation lines begin with a space (RFC 5545 section 3.1). */
function fold(line: string): string {
  const encoder = new TextEncoder();
  let folded = '';
  let length = 0;
  for (const letter of line) {
    const size = encoder.encode(letter).length;
    if (length + size > 75) {
      folded += '\r\n ';
      length = 1;
    }
    folded += letter;
    length += size;
  }
  return folded;
}

/** A booked lesson as an iCalendar file with one event, its times in UTC. `now` in ms since 1970. */
export function writeCalendarFile(lesson: CalendarLesson, now: number): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Sports lessons//Bookings//EN',
    'BEGIN:VEVENT',
    `UID:${lesson.bookingId}@app`,
    `DTSTAMP:${inUtc(now)}`,
    `DTSTART:${inUtc(Date.parse(lesson.startTime))}`,
    `DTEND:${inUtc(Date.parse(lesson.endTime))}`,
    `SUMMARY:${escaped(lesson.title)}`,
    `DESCRIPTION:${escaped(`with ${lesson.coachName}`)}`,
    `LOCATION:${escaped(formatLocation(lesson.location))}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return `${lines.map(fold).join('\r\n')}\r\n`;
}
