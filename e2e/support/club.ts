import { randomUUID } from 'node:crypto';
import { isMarkable } from '#domain/bookings/attendee-status.ts';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { catalogueApi } from '#domain/catalogue/contract.ts';
import { slotsApi } from '#domain/catalogue/slots-contract.ts';
import type { Sport } from '#domain/sports.ts';
import { addDays, instantOf, type PlainDate, wallTimeOf } from '#domain/time.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { call } from './api.ts';
import { expect } from './fixtures.ts';
import { openDemo } from './people.ts';

/** A lesson that a test published for itself and finds by its title. */
export type Lesson = { slotId: string; title: string; priceCents: number; startTime: string };

type Template = {
  title?: string;
  minutes?: number;
  seats?: number;
  sport?: Sport;
  priceCents?: number;
  minAge?: number;
  maxAge?: number;
};
type Start = { date: PlainDate; hour: number; minute?: number };

/** Publishes a new template's lessons at a local time in London, on this day and the `count - 1` days after it. */
async function publish(
  coach: Someone,
  { date, hour, minute = 0 }: Start,
  { title = 'Junior tennis', minutes = 60, seats = 1, sport = 'tennis', priceCents = 0, ...ages }: Template,
  count = 1,
) {
  const isIndividual = seats === 1;
  const { template } = await call(coach, catalogueApi.createTemplate, {
    title,
    description: 'Bring water and shoes that grip.',
    sport,
    durationMinutes: minutes,
    basePriceCents: priceCents,
    lessonType: isIndividual ? 'individual' : 'group',
    minCapacity: isIndividual ? 1 : 2,
    maxCapacity: seats,
    ...ages,
  });
  const { slots } = await call(coach, slotsApi.createSlots, {
    templateId: template.templateId,
    mode: 'dates',
    startDate: date,
    additionalDates: Array.from({ length: count - 1 }, (_, index) => addDays(date, index + 1)),
    hour,
    minute,
  });
  return slots;
}

/** The next quarter of an hour in London that is at least 20 minutes ahead. */
export function soon(): Start {
  const quarterMs = 15 * 60_000;
  let ms = Math.ceil((Date.now() + 20 * 60_000) / quarterMs) * quarterMs;
  // A time that clocks show twice, when summer time ends, stands for the first.
  while (Date.parse(instantOf(wallTimeOf(ms)).instant) < ms) ms += quarterMs;
  return wallTimeOf(ms);
}

/** Publishes one lesson of a new template of this coach at a local time in London. */
export async function publishAt(coach: Someone, start: Start, template: Template = {}) {
  const [slot] = await publish(coach, start, template);
  return slot!;
}

// `publishLessons` publishes for the demo's coach, who can give only one lesson at a time. So each of 16 workers has
// its own quarter of an hour at night, when the demo club has no lessons, and uses one day after another. Every 16th
// worker has the same quarter and starts on another day.
const worker = Number(process.env.TEST_WORKER_INDEX ?? 0);
const quarter = worker % 16;
const ownTime = { hour: 2 + Math.floor(quarter / 4), minute: 15 * (quarter % 4) };
// The demo club's own lessons are up to 49 days ahead. Lessons can be published up to two years ahead; repeating a test
// a hundred times uses a hundred workers.
let nextDay = 50 + ((150 * Math.floor(worker / 16) + 11 * Math.floor(worker / 64)) % 600);

/** Reserves `count` days on which no test has used this worker's time. Returns the first, in days from today. */
function takeDays(count: number): number {
  nextDay += count;
  return nextDay - count;
}

/**
 * Publishes 15-minute lessons of a new template of the demo's coach, a day apart and, by default, later than all that
 * this worker has published. `inDays` (counted from today) and `hour` are for a test that needs a day to itself.
 */
export async function publishLessons({
  count = 1,
  inDays = takeDays(count),
  hour = ownTime.hour,
  title = `Lesson ${randomUUID().slice(0, 8)}`,
  seats = 1,
  priceCents = 5000,
}: Pick<Template, 'title' | 'seats' | 'priceCents'> & {
  count?: number;
  inDays?: number;
  hour?: number;
} = {}): Promise<Lesson[]> {
  const start = { date: addDays(wallTimeOf(Date.now()).date, inDays), hour, minute: ownTime.minute };
  const coach = await openDemo('coach@demo.test');
  return publish(coach, start, { title, seats, priceCents, minutes: 15 }, count);
}

/** Books a lesson as this person through the API; returns the booking's id. */
export async function bookByApi(
  person: Someone,
  { slotId, priceCents }: Pick<Lesson, 'slotId' | 'priceCents'>,
): Promise<string> {
  const answer = await call(person, bookingsApi.book, { slotId, baseAmountCents: priceCents });
  expect(answer.outcome).toBe('booked');
  return answer.bookingId;
}

export async function readBookedCount({ slotId }: Pick<Lesson, 'slotId'>): Promise<number> {
  const { slot } = await call(null, slotsApi.getOpenSlot, { slotId });
  return slot.bookedCount;
}

/** Reads the attendees of a lesson, but only those whom the coach can mark. */
export async function readMarkable(coach: Someone, slotId: string) {
  const { attendees } = await call(coach, lessonsApi.listAttendees, { slotId });
  return attendees.filter(isMarkable);
}

/** Removes all attendance marks from a past lesson. The demo marks one in ten of its past bookings as absent. */
export async function clearAttendance(coach: Someone, slotId: string): Promise<void> {
  for (const { bookingId } of await readMarkable(coach, slotId)) {
    await call(coach, lessonsApi.markAttendance, { bookingId, attended: null });
  }
}
