import { expect, test } from 'vitest';
import {
  refuseDate,
  refuseDecision,
  refuseDeskRefund,
  refuseMoveBooking,
  singleAdminCents,
} from './rules.ts';

const paid = {
  ...{ status: 'booked' as const, chargedCents: 5000, refundedCents: 0, disputedCents: 0 },
  ...{ unenteredCents: 0, isWaiting: false },
};

test('allows a refund of a paid booking, even after earlier refunds or a cancellation', () => {
  expect(refuseDeskRefund(paid)).toBeNull();
  expect(refuseDeskRefund({ ...paid, refundedCents: 4999 })).toBeNull();
  expect(refuseDeskRefund({ ...paid, status: 'cancelled' })).toBeNull();
});

test('refuses refunds of nothing, and refunds that might pay the customer twice', () => {
  for (const [change, message] of [
    [{ status: 'pending' }, /isn't paid/],
    [{ status: 'released' }, /isn't paid/],
    [{ chargedCents: 0 }, /free/],
    [{ refundedCents: 5000 }, /in full/],
    [{ disputedCents: 1 }, /disputes/],
    [{ unenteredCents: 1250 }, /^£12\.50 .* Enter that refund first/],
    [{ isWaiting: true }, /already waiting/],
  ] as const) {
    expect(refuseDeskRefund({ ...paid, ...change })?.message).toMatch(message);
  }
});

test('counts refunds made by one admin alone towards the limit', () => {
  expect(singleAdminCents(null, 10_000)).toBeNull();
  expect(singleAdminCents(2000, 1500)).toBe(500);
  expect(singleAdminCents(2000, 2500)).toBe(0);
});

test('lets the admin who asked for a refund withdraw it, but not approve it', () => {
  expect(refuseDecision({ askedBy: 'a' }, 'a', 'approve')?.code).toBe('conflict');
  expect(refuseDecision({ askedBy: 'a' }, 'a', 'decline')).toBeNull();
  expect(refuseDecision({ askedBy: 'a' }, 'b', 'approve')).toBeNull();
});

const now = Date.parse('2027-03-01T12:00:00Z');
const later = '2027-03-02T12:00:00Z';
const booked = {
  ...{ status: 'booked' as const, slotId: 'a', startTime: later, isInPayrun: false },
  ...{ chargedCents: 5000, refundedCents: 0 },
};

test('moves bookings before the start, and cancelled ones not refunded in full [CONNECT-15c]', () => {
  expect(refuseMoveBooking(booked, now)).toBeNull();
  expect(refuseMoveBooking({ ...booked, startTime: '2027-03-01T11:00:00Z' }, now)?.message).toMatch(
    /started/,
  );
  expect(refuseMoveBooking({ ...booked, isInPayrun: true }, now)?.message).toMatch(/payrun/);
  expect(refuseMoveBooking({ ...booked, status: 'attended' }, now)?.code).toBe('conflict');
  const cancelled = { ...booked, status: 'cancelled' as const, startTime: '2027-03-01T11:00:00Z' };
  expect(refuseMoveBooking({ ...cancelled, refundedCents: 2500 }, now)).toBeNull();
  expect(refuseMoveBooking({ ...cancelled, refundedCents: 5000 }, now)?.message).toMatch(/in full/);
  expect(refuseMoveBooking({ ...cancelled, chargedCents: 0 }, now)).toBeNull();
});

test('accepts only open future dates of the same lesson', () => {
  const date = { slotId: 'b', status: 'scheduled', startTime: later, isSameLesson: true, isOpen: true };
  expect(refuseDate(booked, date, now)).toBeNull();
  expect(refuseDate({ ...booked, status: 'cancelled' }, { ...date, slotId: 'a' }, now)).toBeNull();
  for (const [change, code] of [
    [{ isSameLesson: false }, 'conflict'],
    [{ slotId: 'a' }, 'conflict'],
    [{ status: 'cancelled' }, 'slot_unavailable'],
    [{ startTime: '2027-03-01T11:00:00Z' }, 'slot_unavailable'],
    [{ isOpen: false }, 'slot_full'],
  ] as const) {
    expect(refuseDate(booked, { ...date, ...change }, now)?.code).toBe(code);
  }
});
