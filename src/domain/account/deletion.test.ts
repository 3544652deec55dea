import { expect, test } from 'vitest';
import { type BlockerFacts, listBlockers, refuseDeletion } from './deletion.ts';

const nothing: BlockerFacts = {
  lessonsAhead: 0,
  dependantLessons: 0,
  lessonsToGive: 0,
  unfinishedPayments: 0,
  refundCents: 0,
  waitingRefundCents: 0,
  balanceCents: 0,
  isInPendingPayrun: false,
  contestedLessons: 0,
  soleOwnerOf: null,
  isLastAdmin: false,
};

test('allows deleting an account without blockers', () => {
  expect(listBlockers(nothing)).toEqual([]);
  expect(refuseDeletion(nothing)).toBeNull();
});

test.each([
  [{ lessonsAhead: 1 }, "You have 1 upcoming booking. Cancel it, or wait until it's over."],
  [{ dependantLessons: 1 }, 'You are the only guardian of someone with upcoming lessons'],
  [{ lessonsToGive: 3 }, "You have 3 booked lessons to coach. Cancel them, or wait until they're over."],
  [{ unfinishedPayments: 1 }, 'One of your payments is still processing.'],
  [{ refundCents: 5000 }, "You're still owed a refund of £50.00."],
  [{ waitingRefundCents: 2500 }, "A refund of £25.00 to you is waiting for an admin's approval."],
  [{ balanceCents: 4500 }, "You've earned £45.00 that hasn't been paid out yet."],
  [{ balanceCents: -4500 }, 'You were paid £45.00 for lessons that were refunded later.'],
  [{ isInPendingPayrun: true }, 'A payout is on its way to you.'],
  [{ contestedLessons: 1 }, "A lesson that you've been paid for may still be refunded"],
  [{ contestedLessons: 2 }, "2 lessons that you've been paid for may still be refunded"],
  [{ soleOwnerOf: 'Ace Tennis' }, 'No other owner can take over Ace Tennis,'],
  [{ isLastAdmin: true }, "You're the last admin."],
] satisfies [Partial<BlockerFacts>, string][])('explains the blocker: %o', (open, phrase) => {
  const [blocker, ...others] = listBlockers({ ...nothing, ...open });
  expect(blocker).toContain(phrase);
  expect(others).toEqual([]);
  expect(refuseDeletion({ ...nothing, ...open })?.message).toBe(blocker);
});

test('lists several blockers together', () => {
  const all = { ...nothing, lessonsAhead: 2, balanceCents: 1, isLastAdmin: true };
  expect(listBlockers(all)).toHaveLength(3);
});
