import { expect, test } from 'vitest';
import { writeCalendarFile } from './calendar-file.ts';

const lesson = {
  bookingId: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  title: 'Serve; volley, and a good deal of running from one side of the court to the other – élan, too',
  coachName: 'Tess Trial',
  startTime: '2027-03-28T08:00:00Z',
  endTime: '2027-03-28T09:30:00Z',
  location: null,
};

test('writes the times of a lesson in British Summer Time in UTC', () => {
  const file = writeCalendarFile(lesson, Date.parse('2027-01-05T10:00:00Z'));
  expect(file).toContain('\r\nDTSTART:20270328T080000Z\r\nDTEND:20270328T093000Z\r\n');
  expect(file).toContain('DTSTAMP:20270105T100000Z');
  expect(file.endsWith('END:VCALENDAR\r\n')).toBe(true);
});

test('folds lines at 75 octets so that unfolding restores the title', () => {
  const file = writeCalendarFile(lesson, 0);
  for (const line of file.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  const title = lesson.title.replace(';', '\\;').replaceAll(',', '\\,');
  expect(file.replaceAll('\r\n ', '')).toContain(`SUMMARY:${title}\r\n`);
});
