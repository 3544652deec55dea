import type { Refusal } from '#domain/errors.ts';
import { formatPounds } from '#domain/money.ts';

/** The facts that decide whether an account can be deleted; money in minor units. */
export type BlockerFacts = {
  /** Lessons not yet over that the person has booked, or holds a seat in, as a customer. */
  lessonsAhead: number;
  /** Upcoming lessons that others booked for dependants whose only guardian is this person. */
  dependantLessons: number;
  /** Booked lessons not yet over that the person coaches. */
  lessonsToGive: number;
  unfinishedPayments: number;
  /** Refunds to the person that are on their way or have failed. */
  refundCents: number;
  /** Refunds to the person that wait for a second admin. */
  waitingRefundCents: number;
  /** The amount still owed to the coach; negative if lessons were refunded after their payout. */
  balanceCents: number;
  isInPendingPayrun: boolean;
  /** Paid-out lessons with a dispute or a waiting refund that may still take back the coach's share. */
  contestedLessons: number;
  /** The business whose team would be left without an owner. */
  soleOwnerOf: string | null;
  isLastAdmin: boolean;
};

/** The name in the emptied profile of a deleted account, shown instead of the person's own name. */
export const deletedAccount = 'Deleted account';

const bookings = (count: number) => (count === 1 ? '1 upcoming booking' : `${count} upcoming bookings`);
const lessons = (count: number) => (count === 1 ? '1 booked lesson' : `${count} booked lessons`);
const contested = (count: number) => (count === 1 ? 'A lesson' : `${count} lessons`);
const cancelOrWait = (count: number) =>
  count === 1 ? "Cancel it, or wait until it's over." : "Cancel them, or wait until they're over.";

/** One sentence per blocker of an account's deletion; empty if there is none. */
export function listBlockers(open: BlockerFacts): string[] {
  const { balanceCents } = open;
  return [
    open.lessonsAhead > 0 && `You have ${bookings(open.lessonsAhead)}. ${cancelOrWait(open.lessonsAhead)}`,
    open.dependantLessons > 0 &&
      'You are the only guardian of someone with upcoming lessons that another person booked. Invite another guardian, or wait until the lessons are over.',
    open.lessonsToGive > 0 &&
      `You have ${lessons(open.lessonsToGive)} to coach. ${cancelOrWait(open.lessonsToGive)}`,
    open.unfinishedPayments > 0 &&
      'One of your payments is still processing. It will finish within the hour.',
    open.refundCents > 0 &&
      `You're still owed a refund of ${formatPounds(open.refundCents)}. Wait until it has been paid.`,
    open.waitingRefundCents > 0 &&
      `A refund of ${formatPounds(open.waitingRefundCents)} to you is waiting for an admin's approval. Wait until it has been decided.`,
    balanceCents > 0 &&
      `You've earned ${formatPounds(balanceCents)} that hasn't been paid out yet. Save your bank details and wait for the payout.`,
    balanceCents < 0 &&
      `You were paid ${formatPounds(-balanceCents)} for lessons that were refunded later. Please contact us to settle this first.`,
    open.isInPendingPayrun && 'A payout is on its way to you. Wait until it has arrived.',
    open.contestedLessons > 0 &&
      `${contested(open.contestedLessons)} that you've been paid for may still be refunded or charged back. Wait until that has been decided.`,
    open.soleOwnerOf !== null &&
      `No other owner can take over ${open.soleOwnerOf}, and its team has other members. Make one of them an owner, or end the business.`,
    open.isLastAdmin && "You're the last admin. Make someone else an admin first.",
  ].filter((sentence) => sentence !== false);
}

/** Refuses to delete an account that has blockers, with the first blocker as the message. */
export function refuseDeletion(open: BlockerFacts): Refusal {
  const [first] = listBlockers(open);
  return first === undefined ? null : { code: 'conflict', message: first };
}
