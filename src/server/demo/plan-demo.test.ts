import { expect, test } from 'vitest';
import { wallTimeOf } from '#domain/time.ts';
import { pickDisputed } from './dispute-demo.ts';
import { type DemoBooking, type DemoSlot, planDemo } from './plan-demo.ts';

const day = 86_400_000;

test('plans the demo for any day and hour, even around clock changes', () => {
  const clockChanges = ['2027-03-27T01:30:00Z', '2027-10-30T12:00:00Z', '2028-02-29T05:00:00Z'];
  // Every hour, weekday and month, and several ends of months.
  const start = Date.parse('2026-12-31T23:59:00Z');
  const others = Array.from({ length: 36 }, (_, index) => start + index * (10 * 24 + 5) * 3_600_000);
  for (const now of [...clockChanges.map((instant) => Date.parse(instant)), ...others]) {
    const { slots, bookings } = planDemo(now);
    const at = new Date(now).toISOString();
    expect(slots.filter((slot) => slot.status === 'scheduled')).toHaveLength(600);
    expect(new Set(slots.map((slot) => slot.slotId)).size).toBe(slots.length);
    for (const { startMs } of slots) {
      const { hour } = wallTimeOf(startMs);
      if (hour < 7 || hour > 20) expect.fail(`${at}: a lesson starts at ${hour}`);
    }
    expect(bookings.length).toBeGreaterThan(100);
    const mine = bookings.filter((booking) => booking.customer === 0);
    expect(new Set(mine.map(({ status }) => status))).toEqual(new Set(['booked', 'attended', 'refunded']));
    const ahead = bookings.filter(({ slot }) => slot.startMs > now);
    expect(ahead.flatMap(({ child }) => child ?? [])).toEqual([0, 1, 0]);
    for (const { bookedMs, cancelledMs } of bookings) {
      if (bookedMs >= now || (cancelledMs !== null && cancelledMs <= bookedMs)) {
        expect.fail(`${at}: booked at ${bookedMs}, cancelled at ${cancelledMs}`);
      }
    }

    // What the browser tests expect of the demo's coach and customer.
    const isKept = ({ status }: DemoBooking) => status === 'booked' || status === 'attended';
    const attendeesOf = (slot: DemoSlot) => bookings.filter((one) => one.slot === slot && isKept(one));
    const recent = slots
      .filter(({ coach, status, endMs }) => coach === 0 && status === 'completed' && endMs > now - 27 * day)
      .map(attendeesOf);
    expect(recent.filter((attendees) => attendees.length > 1).length, at).toBeGreaterThan(0);
    expect(recent.filter((attendees) => attendees.length === 1).length, at).toBeGreaterThan(0);
    const ofCustomer = recent.filter((all) => all.some((one) => one.customer === 0 && one.child === null));
    expect(ofCustomer.length, at).toBeGreaterThan(1);
    const past = mine.filter((one) => one.slot.endMs < now);
    expect(new Set(past.filter(isKept).map(({ slot }) => slot.coach)).size, at).toBeGreaterThan(2);
    expect(past.filter(({ status }) => status === 'refunded').length, at).toBeGreaterThan(0);
    expect(pickDisputed(bookings, now), at).not.toBeNull();
    const payable = bookings.filter(
      (one) => isKept(one) && one.slot.coach === 0 && one.slot.endMs < now && one.slot.endMs > now - 7 * day,
    );
    expect(payable.length, at).toBeGreaterThan(8);
  }
});
