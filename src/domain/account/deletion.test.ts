import { expect, test } from 'vitest';
import { type BlockerFacts, listBlockers, refuseDeletion } from './deletion.ts';

const nothing: BlockerFacts = {
  lessonsBooked: 0,
  lessonsToGive: 0,
  unfinishedPayments: 0,
  refundCents: 0,
  balanceCents: 0,
  isInPendingPayrun: false,
  soleOwnerOf: null,
  isLastAdmin: false,
};

test('an account where nothing is open can be deleted', () => {
  expect(listBlockers(nothing)).toEqual([]);
  expect(refuseDeletion(nothing)).toBeNull();
});

test.each([
  [{ lessonsBooked: 1 }, 'You have 1 booked lesson ahead. Cancel it, or wait until it is over.'],
  [{ lessonsToGive: 3 }, 'You have 3 booked lessons to give. Cancel them, or wait until they are over.'],
  [{ unfinishedPayments: 1 }, 'A payment of yours is still under way.'],
  [{ refundCents: 5000 }, 'A refund of £50.00 is still on its way to you.'],
  [{ balanceCents: 4500 }, 'You have earned £45.00 that was not paid out yet.'],
  [{ balanceCents: -4500 }, 'You were paid £45.00 for lessons that were refunded since.'],
  [{ isInPendingPayrun: true }, 'A payout to you is under way.'],
  [{ soleOwnerOf: 'Ace Tennis' }, 'You are the only owner of Ace Tennis,'],
  [{ isLastAdmin: true }, 'You are the last admin.'],
] satisfies [Partial<BlockerFacts>, string][])('%o keeps it, and is said', (open, phrase) => {
  const [blocker, ...others] = listBlockers({ ...nothing, ...open });
  expect(blocker).toContain(phrase);
  expect(others).toEqual([]);
  expect(refuseDeletion({ ...nothing, ...open })?.message).toBe(blocker);
});

test('everything that is open is told at once', () => {
  const all = { ...nothing, lessonsBooked: 2, balanceCents: 1, isLastAdmin: true };
  expect(listBlockers(all)).toHaveLength(3);
});
