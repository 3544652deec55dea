import { createHash } from 'node:crypto';
import { defaultSettings } from '#domain/settings/contract.ts';
import { feeOfPrice } from '#domain/settings/platform-fee.ts';
import { addDays, toInstant, wallTimeOf, weekdayOf } from '#domain/time.ts';
import { type DemoCoach, demoChildren, demoCoaches, demoCustomers } from './demo-coaches.ts';
import { instantAt, planHistory, planSchedule } from './plan-schedule.ts';

/** A lesson at the demo club; `coach`, `template` and `venue` are indexes into the lists in demo-coaches.ts. */
export type DemoSlot = {
  slotId: string;
  coach: number;
  template: number;
  venue: number;
  startMs: number;
  endMs: number;
  status: 'scheduled' | 'completed' | 'cancelled';
  priceCents: number;
  seats: number;
  /** The share of seats to book, from 0 to 1; undefined for most lessons. */
  share?: number;
};

/** A booking at the demo club. Every refund is in full. */
export type DemoBooking = {
  bookingId: string;
  /** The first booking of the same checkout: the bookings of a checkout share one payment. */
  firstOfCheckout: string;
  customer: number;
  /** The index of the first customer's child who takes part; null if the customer does. */
  child: number | null;
  slot: DemoSlot;
  status: 'booked' | 'attended' | 'cancelled' | 'refunded';
  attended: boolean | null;
  bookedMs: number;
  cancelledMs: number | null;
  cancelledBy: 'customer' | 'coach' | null;
};

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const futureDays = 42;
const pastDays = 21;
/** The club's age in days: all coaches, and all customers except the newcomers, joined at least this long ago. */
export const clubAgeDays = 450;
const newcomers = 12;
const futureSlots = 600;
const scheduledFutureSlots = 94;
const pastSlotsPerCoach = 4;
const weekdayTimes = [
  [7, 0],
  [12, 0],
  [16, 0],
  [18, 30],
] as const;
const weekendTimes = [
  [9, 0],
  [11, 30],
  [14, 0],
  [16, 30],
] as const;

/** The platform's fee for a lesson, in minor units. */
export const feeOf = ({ priceCents }: DemoSlot) => feeOfPrice(priceCents, defaultSettings.platformFee);

/** A UUID that depends only on the kind and number, so it is the same in every demo club. */
export function demoId(kind: string, number: number): string {
  const hex = createHash('sha256').update(`${kind} ${number}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Creates a generator of pseudo-random numbers in [0, 1), always the same for a seed (mulberry32). */
function createChance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * When a demo customer joined, in milliseconds. Most joined before the club's oldest lesson, and the newcomers at
 * intervals over the last 30 days.
 */
export function customerJoinedMs(index: number, now: number): number {
  const newcomer = index - (demoCustomers.length - newcomers);
  return now - (newcomer < 0 ? clubAgeDays + index : 30 - 2.5 * newcomer) * day;
}

/**
 * Plans the demo club's lessons and bookings around `now` (milliseconds). No coach or customer has two lessons at the
 * same time.
 */
export function planDemo(now: number): { slots: DemoSlot[]; bookings: DemoBooking[] } {
  const chance = createChance(2026);
  const [schedule, ...timetables] = demoCoaches.map((coach, index) =>
    index === 0 ? planFirstCoach(coach, now) : planTimetable(coach, index, now, chance),
  ) as [DemoSlot[], ...DemoSlot[][]];
  const isOver = (slot: DemoSlot) => slot.endMs < now - hour;
  const isAhead = (slot: DemoSlot) => slot.startMs > now + hour;
  const othersPast = timetables.flatMap((all) => {
    const over = all.filter(isOver);
    return [...over.slice(-1), ...shuffle(over.slice(0, -1), chance)].slice(0, pastSlotsPerCoach);
  });
  const perCoach = (futureSlots - scheduledFutureSlots) / timetables.length;
  const othersFuture = timetables.flatMap((all) => {
    const ahead = all.filter(isAhead);
    // The next few lessons are always kept, so that today's calendar is not empty.
    return [...ahead.slice(0, 4), ...shuffle(ahead.slice(4), chance)].slice(0, perCoach);
  });
  const past = [...othersPast, ...schedule.filter(isOver)];
  for (const slot of past) slot.status = 'completed';
  const scheduleAhead = schedule.filter(isAhead).slice(0, scheduledFutureSlots + 1);
  const rainedOff = scheduleAhead.find((slot) => slot.startMs > now + day && slot.seats > 1)!;
  for (const slot of [othersPast[9]!, othersPast[35]!, rainedOff]) slot.status = 'cancelled';
  const slots = [...past, ...othersFuture, ...scheduleAhead].sort((a, b) => a.startMs - b.startMs);
  return { slots, bookings: planBookings(slots, now, chance) };
}

function planFirstCoach(coach: DemoCoach, now: number): DemoSlot[] {
  const today = wallTimeOf(now).date;
  return [...planHistory(today), ...planSchedule(today)].map(({ startMs, template, venue, share }) => {
    const [, , minutes, priceCents, group] = coach.templates[template]!;
    return {
      slotId: demoId(`schedule ${toInstant(startMs)}`, 0),
      ...{ coach: 0, template, venue, startMs, share },
      endMs: startMs + minutes * minute,
      status: 'scheduled',
      priceCents,
      seats: group?.[1] ?? 1,
    };
  });
}

function planTimetable(coach: DemoCoach, index: number, now: number, chance: () => number): DemoSlot[] {
  const today = wallTimeOf(now).date;
  const slots: DemoSlot[] = [];
  for (let offset = -pastDays; offset <= futureDays; offset += 1) {
    const date = addDays(today, offset);
    for (const [startHour, startMinute] of weekdayOf(date) > 5 ? weekendTimes : weekdayTimes) {
      const template = Math.floor(chance() * coach.templates.length);
      const [, , minutes, priceCents, group] = coach.templates[template]!;
      // Some lessons start 15 or 30 minutes later. A lesson that would overlap the previous lesson is left out.
      const late = startMinute === 0 ? 15 * Math.floor(chance() * 3) : 30;
      const startMs = instantAt(date, startHour * 60 + late);
      if (startMs < (slots.at(-1)?.endMs ?? 0)) continue;
      slots.push({
        slotId: demoId(`slot ${index} ${offset} ${startHour}`, 0),
        coach: index,
        template,
        venue: Math.floor(chance() * coach.venues.length),
        startMs,
        endMs: startMs + minutes * minute,
        status: 'scheduled',
        priceCents,
        seats: group?.[1] ?? 1,
      });
    }
  }
  return slots;
}

function shuffle<T>(list: T[], chance: () => number): T[] {
  return list
    .map((value) => ({ value, rank: chance() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ value }) => value);
}

function planBookings(slots: DemoSlot[], now: number, chance: () => number): DemoBooking[] {
  const bookings: DemoBooking[] = [];
  const calendars: DemoSlot[][] = demoCustomers.map(() => []);
  const isFree = (customer: number, slot: DemoSlot) =>
    calendars[customer]!.every((other) => other.endMs <= slot.startMs || other.startMs >= slot.endMs);
  const isOpen = (slot: DemoSlot) =>
    bookings.filter((booking) => booking.slot === slot && isActive(booking)).length < slot.seats;

  function book(
    customer: number,
    slot: DemoSlot,
    cancelled: 'in time' | 'late' | null = null,
    child: number | null = null,
  ): boolean {
    if (!isFree(customer, slot) || !isOpen(slot)) return false;
    const isPast = slot.startMs < now;
    const isMissed = isPast && chance() < 0.1;
    // The sooner the lesson, the later the demo customer booked it: the newest booking is for the next lesson.
    const bookedMs =
      customer === 0
        ? Math.min(slot.startMs - 3 * day, now - 2 * hour - Math.max(0, slot.startMs - now) / 20)
        : Math.min(slot.startMs - (2 + chance() * 8) * day, now - (1 + chance() * 300) * hour);
    const fate = { status: 'booked', attended: null, cancelledMs: null, cancelledBy: null } as const;
    if (bookedMs < customerJoinedMs(customer, now)) return false;
    // The coach has yet to mark attendance at the latest lessons.
    const isUnmarked = slot.coach === 0 && slot.endMs > now - day;
    const bookingId = demoId('booking', bookings.length);
    bookings.push({
      ...{ bookingId, firstOfCheckout: bookingId },
      ...{ customer, child, slot, bookedMs },
      ...fate,
      ...(isPast && !isMissed && !isUnmarked ? { status: 'attended', attended: true } : {}),
      ...(isMissed && !isUnmarked ? { attended: false } : {}),
      ...(cancelled ? cancel(slot, bookedMs, now, cancelled) : {}),
      ...(slot.status === 'cancelled'
        ? {
            status: slot.priceCents > 0 ? 'refunded' : 'cancelled',
            attended: null,
            cancelledMs: Math.max(
              bookedMs + 10 * minute,
              Math.min(slot.startMs - 20 * hour, now - 40 * minute),
            ),
            cancelledBy: 'coach',
          }
        : {}),
    });
    const isKept = isActive(bookings.at(-1)!);
    if (isKept) calendars[customer]!.push(slot);
    return isKept;
  }

  const past = slots.filter((slot) => slot.startMs < now);
  const future = slots.filter((slot) => slot.startMs > now + day);
  const paid = (list: DemoSlot[]) => list.filter((slot) => slot.priceCents > 0);
  // The demo customer has past, future and refunded bookings, with the demo coach and with others.
  const history = paid(past).filter((slot) => slot.startMs < now - pastDays * day);
  const [ours, theirs] = [true, false].map((isOurs) =>
    paid(past).filter((slot) => !history.includes(slot) && (slot.coach === 0) === isOurs),
  );
  const pick = (list: DemoSlot[], part: number) => list[Math.floor(part * list.length)]!;
  book(0, pick(theirs!, 0.7), 'in time');
  for (const part of [0.15, 0.4, 0.8]) book(0, pick(history, part));
  // The first child has had one-to-ones with the demo coach for a season.
  for (const slot of history.filter(isForFirstChild).slice(-8)) book(0, slot, null, 0);
  for (const part of [0.3, 0.6]) book(0, pick(ours!, part));
  for (const part of [0.1, 0.35, 0.5, 0.9]) book(0, pick(theirs!, part));
  for (const index of [6, 60, 130]) book(0, paid(future)[index]!);
  for (const slot of past) fill(slot, slot.share ?? (slot.seats === 1 ? 0.8 : 0.25));
  const [planned, others] = [true, false].map((is) =>
    future.filter((slot) => (slot.share !== undefined) === is),
  );
  for (const slot of planned!) fill(slot, slot.share!);
  for (const slot of shuffle(others!, chance).slice(0, 20)) fill(slot, chance() < 0.2 ? 1 : 0.25);
  // In one checkout, each child is booked into the next open lesson with the title in `demoChildren`. The first child
  // is also booked into another lesson, which has since been cancelled.
  const ofOthers = bookings.length;
  const bookNext = (child: number, cancelled: 'in time' | null) => {
    const before = bookings.length;
    future
      .filter((slot) => titleOf(slot) === demoChildren[child]!.lesson && slot.status === 'scheduled')
      .some((slot) => book(0, slot, cancelled, child) || bookings.length > before);
  };
  for (const child of demoChildren.keys()) bookNext(child, null);
  bookNext(0, 'in time');
  const together = bookings.slice(ofOthers);
  const bookedMs = Math.min(...together.map((booking) => booking.bookedMs));
  for (const one of together) Object.assign(one, { firstOfCheckout: together[0]!.bookingId, bookedMs });

  function fill(slot: DemoSlot, share: number): void {
    // A planned individual lesson is booked if its share is above 0.
    const target =
      slot.seats > 1
        ? Math.round(slot.seats * share)
        : Number(slot.share === undefined ? chance() < share : share > 0);
    let taken = 0;
    // Some of the picked customers have another lesson at that time, or cancel, so there are more tries than seats to
    // fill.
    for (let tries = 0; taken < target && tries < 3 * target + 6; tries += 1) {
      const customer = 1 + Math.floor(chance() * (demoCustomers.length - 1));
      const luck = chance();
      const isKept = book(customer, slot, luck < 0.05 ? 'in time' : luck < 0.07 ? 'late' : null);
      taken += Number(isKept || slot.status === 'cancelled');
    }
  }
  return bookings;
}

const titleOf = ({ coach, template }: DemoSlot) => demoCoaches[coach]!.templates[template]![0];
const isForFirstChild = ({ coach, seats, template }: DemoSlot) => !coach && seats === 1 && template < 2;
const isActive = ({ status }: DemoBooking) => status === 'booked' || status === 'attended';

/** The fields of a booking that its customer cancels; empty for a late cancellation of a future or free lesson. */
function cancel(slot: DemoSlot, bookedMs: number, now: number, when: 'in time' | 'late') {
  const isFuture = slot.startMs > now;
  if (when === 'late' && (isFuture || slot.priceCents === 0)) return {};
  const deadline = Math.min(slot.startMs - 47 * hour, now - 30 * minute);
  const cancelledMs =
    when === 'late' ? slot.startMs - 5 * hour : bookedMs + Math.max(10 * minute, 0.6 * (deadline - bookedMs));
  const isRefunded = when === 'in time' && slot.priceCents > 0;
  return {
    status: isRefunded ? ('refunded' as const) : ('cancelled' as const),
    attended: null,
    cancelledMs,
    cancelledBy: 'customer' as const,
  };
}

/** Converts milliseconds since 1970 to an ISO 8601 instant. */
export const at = (ms: number): string => toInstant(Math.round(ms));
