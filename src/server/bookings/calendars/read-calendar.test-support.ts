import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import ICAL from 'ical.js';
import nodeIcal from 'node-ical';

/** An event as a parser understood it; instants are in UTC. */
export type ReadEvent = {
  method: string;
  uid: string;
  sequence: number;
  status: string;
  summary: string;
  description: string;
  location: string;
  start: string;
  end: string;
  organizer: string;
  /** The email address, RSVP and PARTSTAT of each attendee, separated by spaces. */
  attendees: string[];
};

const inUtc = (date: Date) => date.toISOString().replace('.000Z', 'Z');
const address = (value: unknown) => String(value).replace(/^mailto:/i, '');

function readWithIcalJs(ics: string): ReadEvent[] {
  const calendar = new ICAL.Component(ICAL.parse(ics));
  return calendar.getAllSubcomponents('vevent').map((component) => {
    const event = new ICAL.Event(component);
    return {
      method: String(calendar.getFirstPropertyValue('method')),
      uid: event.uid,
      sequence: event.sequence,
      status: String(component.getFirstPropertyValue('status')),
      summary: event.summary,
      description: event.description,
      location: event.location,
      start: inUtc(event.startDate.toJSDate()),
      end: inUtc(event.endDate.toJSDate()),
      organizer: address(event.organizer),
      attendees: event.attendees.map(
        (one) =>
          `${address(one.getFirstValue())} ${one.getParameter('rsvp')} ${one.getParameter('partstat')}`,
      ),
    };
  });
}

type NodeIcalText = string | { val: string; params?: Record<string, string> };

function readWithNodeIcal(ics: string): ReadEvent[] {
  const calendar = nodeIcal.sync.parseICS(ics);
  const textOf = (value: unknown) =>
    typeof value === 'object' ? (value as { val: string }).val : String(value);
  return Object.values(calendar).flatMap((entry) => {
    if (entry?.type !== 'VEVENT') return [];
    const attendees = [entry.attendee ?? []].flat() as Exclude<NodeIcalText, string>[];
    return {
      method: String(entry.method ?? calendar.vcalendar?.method),
      uid: entry.uid,
      sequence: Number(entry.sequence),
      status: String(entry.status),
      summary: textOf(entry.summary),
      description: textOf(entry.description),
      location: textOf(entry.location),
      start: inUtc(new Date(entry.start)),
      end: inUtc(new Date(entry.end!)),
      organizer: address(textOf(entry.organizer)),
      attendees: attendees.map(
        ({ val, params }) => `${address(val)} ${String(params?.RSVP).toUpperCase()} ${params?.PARTSTAT}`,
      ),
    };
  });
}

const pythonScript = `
import json, sys
from datetime import timezone
from icalendar import Calendar
address = lambda value: str(value)[len('mailto:'):]
instant = lambda value: value.dt.astimezone(timezone.utc).strftime('%Y-%m-%dT%H:%M:%SZ')
def read(calendar):
  for event in calendar.walk('VEVENT'):
    attendees = event.get('ATTENDEE', [])
    yield dict(
      method=str(calendar['METHOD']), uid=str(event['UID']), sequence=int(event['SEQUENCE']), status=str(event['STATUS']),
      summary=str(event['SUMMARY']), description=str(event['DESCRIPTION']), location=str(event['LOCATION']),
      start=instant(event['DTSTART']), end=instant(event['DTEND']), organizer=address(event['ORGANIZER']),
      attendees=['%s %s %s' % (address(one), one.params['RSVP'], one.params['PARTSTAT'])
        for one in (attendees if isinstance(attendees, list) else [attendees])])
print(json.dumps([list(read(Calendar.from_ical(ics))) for ics in json.load(sys.stdin)]))
`;

// Debian installs its package for /usr/bin/python3, which may not be the first Python in the path.
const python = ['/usr/bin/python3', 'python3'].find(
  (command) => spawnSync(command, ['-c', 'import icalendar']).status === 0,
);
if (!python) {
  const missing = 'Python has no package icalendar (Debian: python3-icalendar)';
  // Set by `npm run bench -- calendars`.
  if (process.env.CALENDAR_PARSERS === 'all') throw new Error(missing);
  process.stderr.write(`${missing}: calendar files are read by two parsers instead of three.\n`);
}

function readWithPython(command: string, ics: string): ReadEvent[] {
  const { stdout, stderr, status } = spawnSync(command, ['-c', pythonScript], {
    input: JSON.stringify([ics]),
    encoding: 'utf8',
    env: { ...process.env, PYTHONIOENCODING: 'utf-8' },
  });
  if (status !== 0) throw new Error(stderr);
  return (JSON.parse(stdout) as ReadEvent[][])[0]!;
}

/**
 * Reads a calendar file with third-party parsers: ical.js, node-ical and, where it is installed, Python's icalendar,
 * which `npm run bench -- calendars` requires. Fails unless all of them read the same events; returns these events.
 * `isManyTimes` leaves out Python's parser, because each of its runs takes a few tenths of a second.
 */
export function readCalendar(ics: string, { isManyTimes = false } = {}): ReadEvent[] {
  const events = readWithIcalJs(ics);
  assert.deepEqual(readWithNodeIcal(ics), events);
  if (python && !isManyTimes) assert.deepEqual(readWithPython(python, ics), events);
  return events;
}

/** Fails unless every line ends with CRLF and has at most 75 octets, as RFC 5545 (3.1) requires. */
export function expectFolded(ics: string): void {
  assert.ok(ics.endsWith('\r\nEND:VCALENDAR\r\n'));
  assert.doesNotMatch(ics.replaceAll('\r\n', ''), /[\r\n]/);
  assert.deepEqual(
    ics.split('\r\n').filter((line) => Buffer.byteLength(line) > 75),
    [],
  );
}
