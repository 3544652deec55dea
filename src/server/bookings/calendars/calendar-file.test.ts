import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expectFolded, readCalendar } from '#server/bookings/calendars/read-calendar.test-support.ts';
import { type CalendarEvent, writeEvent, writeFeed } from './calendar-file.ts';

const organizer = { name: 'Riverside, "Sports" \\ Co', email: 'no-reply@club.example' };
const lesson: CalendarEvent = {
  uid: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  sequence: 3,
  title: 'Serve; volley, and a good deal of running from one side of the court to the other – élan, too',
  description: 'With Tess Trial\nBooking reference: 3f2504e0',
  location: 'Court 3, 14 Park Road, Leeds, LS6 3AA',
  startTime: '2027-06-05T08:00:00Z',
  endTime: '2027-06-05T09:30:00Z',
  isCancelled: false,
  url: 'https://club.example/customer/bookings/3f2504e0-4f89-41d3-9a0c-0305e82c3301',
};
const published = (event: Partial<CalendarEvent>) =>
  writeEvent({ ...lesson, ...event }, { method: 'PUBLISH', organizer });

test('writes a lesson that three parsers read alike, stamped with the current time', () => {
  const before = Math.floor(Date.now() / 1000) * 1000;
  const ics = published({});
  expectFolded(ics);
  expect(readCalendar(ics)).toEqual([
    {
      method: 'PUBLISH',
      uid: lesson.uid,
      sequence: 3,
      status: 'CONFIRMED',
      summary: lesson.title,
      description: lesson.description,
      location: lesson.location,
      start: '2027-06-05T08:00:00Z',
      end: '2027-06-05T09:30:00Z',
      organizer: 'no-reply@club.example',
      attendees: [],
    },
  ]);
  expect(ics).toContain('\r\nDTSTART;TZID=Europe/London:20270605T090000\r\n');
  const [, stamp = ''] = /^DTSTAMP:(\d{8}T\d{6}Z)\r$/m.exec(ics)!;
  const madeMs = Date.parse(stamp.replace(/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)/, '$1-$2-$3T$4:$5:$6'));
  expect(madeMs).toBeGreaterThanOrEqual(before);
  expect(madeMs).toBeLessThanOrEqual(Date.now());
});

test.each([
  ['across the hour that March skips', '2027-03-28T00:30:00Z', '2027-03-28T01:30:00Z', 'T003000', 'T023000'],
  [
    'at the first moment of summer time',
    '2027-03-28T01:00:00Z',
    '2027-03-28T02:00:00Z',
    'T020000',
    'T030000',
  ],
  ['on the day before summer time', '2027-03-27T09:00:00Z', '2027-03-27T10:00:00Z', 'T090000', 'T100000'],
  [
    'on the first morning of summer time',
    '2027-03-28T08:00:00Z',
    '2027-03-28T09:00:00Z',
    'T090000',
    'T100000',
  ],
  ['after the repeated hour', '2027-10-31T02:00:00Z', '2027-10-31T03:00:00Z', 'T020000', 'T030000'],
  ['across the repeated hour', '2027-10-30T23:30:00Z', '2027-10-31T02:30:00Z', 'T003000', 'T023000'],
])('keeps the time of a lesson %s in 2027 [NOTE-10c, NOTE-10d]', (_, startTime, endTime, start, end) => {
  const ics = published({ startTime, endTime });
  expect(readCalendar(ics)).toMatchObject([{ start: startTime, end: endTime }]);
  expect(ics).toMatch(
    new RegExp(`DTSTART;TZID=Europe/London:\\d{8}${start}\\r\\nDTEND;TZID=Europe/London:\\d{8}${end}\\r\\n`),
  );
  expect(ics).toContain('BEGIN:VTIMEZONE\r\nTZID:Europe/London\r\n');
});

test.each([
  ['begins in the first occurrence', '2027-10-31T00:30:00Z', '2027-10-31T02:30:00Z'],
  ['begins in the second occurrence', '2027-10-31T01:15:00Z', '2027-10-31T02:15:00Z'],
  ['ends in the first occurrence', '2027-10-30T23:15:00Z', '2027-10-31T00:15:00Z'],
  ['ends in the second occurrence', '2027-10-30T23:30:00Z', '2027-10-31T01:30:00Z'],
])('uses UTC for a lesson that %s of the repeated hour [NOTE-10c, NOTE-10d]', (_, startTime, endTime) => {
  const ics = published({ startTime, endTime });
  expect(readCalendar(ics)).toMatchObject([{ start: startTime, end: endTime }]);
  const inUtc = (instant: string) => instant.replace(/[-:]/g, '');
  expect(ics).toContain(`\r\nDTSTART:${inUtc(startTime)}\r\nDTEND:${inUtc(endTime)}\r\n`);
});

test('invites one person without requesting a reply, and cancels the invitation [NOTE-9a]', () => {
  const attendee = { name: 'Jo "JJ" O’Neil\\', email: 'jo@test.example' };
  const request = writeEvent(lesson, { method: 'REQUEST', organizer, attendee });
  expect(readCalendar(request)).toMatchObject([
    { method: 'REQUEST', status: 'CONFIRMED', attendees: ['jo@test.example FALSE ACCEPTED'] },
  ]);
  const cancel = writeEvent({ ...lesson, isCancelled: true }, { method: 'CANCEL', organizer, attendee });
  expect(readCalendar(cancel)).toMatchObject([
    { method: 'CANCEL', status: 'CANCELLED', summary: `Cancelled: ${lesson.title}` },
  ]);
  for (const ics of [request, cancel]) expectFolded(ics);
});

test('keeps any title and location unchanged, with any organizer and attendee name', () => {
  const text = fc
    .string({ unit: 'binary', minLength: 1, maxLength: 120 })
    .map((any) => any.replace(/[\p{Cc}\p{Cs}\u2028\u2029]/gu, '').trim())
    .filter((any) => any !== '');
  fc.assert(
    fc.property(text, text, text, (title, location, name) => {
      const ics = writeEvent(
        { ...lesson, title, location },
        {
          method: 'REQUEST',
          organizer: { ...organizer, name },
          attendee: { name, email: 'jo@test.example' },
        },
      );
      expectFolded(ics);
      // Each run of Python takes a few tenths of a second, so Python reads only the files of the other tests.
      expect(readCalendar(ics, { isManyTimes: true })).toMatchObject([
        { summary: title, location, attendees: ['jo@test.example FALSE ACCEPTED'] },
      ]);
    }),
    { numRuns: 300 },
  );
});

test('writes a feed of many lessons completely and in order', async () => {
  const events = Array.from({ length: 45 }, (_, index) => ({
    ...lesson,
    uid: `3f2504e0-4f89-41d3-9a0c-0305e82c33${String(index).padStart(2, '0')}`,
    // The first lesson is in the repeated hour, so it is written in UTC; the others need the zone's definition.
    ...(index === 0 && { startTime: '2026-10-25T00:15:00Z', endTime: '2026-10-25T01:15:00Z' }),
  }));
  const feed = { name: 'Smith, Jones; Co: my lessons', ttlSeconds: 3600 };
  const ics = await writeFeed(events, { method: 'PUBLISH', organizer, feed });
  expectFolded(ics);
  expect(readCalendar(ics).map(({ uid }) => uid)).toEqual(events.map(({ uid }) => uid));
  expect(ics.match(/BEGIN:VTIMEZONE/g)).toHaveLength(1);
  expect(readCalendar(ics)[44]).toMatchObject({ start: lesson.startTime, end: lesson.endTime });
  expect(ics).toContain('\r\nX-WR-CALNAME:Smith\\, Jones\\; Co: my lessons\r\n');
  const empty = await writeFeed([], { method: 'PUBLISH', organizer, feed });
  expect(readCalendar(empty)).toEqual([]);
  expectFolded(empty);
});
