import type { Refusal } from '#domain/errors.ts';
import { formatPounds } from '#domain/money.ts';

/** What keeps an account from being deleted; money in cents. */
export type BlockerFacts = {
  /** Lessons booked as a customer, and booked ones to give as a coach, that are not over yet. */
  lessonsBooked: number;
  lessonsToGive: number;
  unfinishedPayments: number;
  refundCents: number;
  /** What the coach is still to get, less than nothing where the coach was paid for a lesson refunded since. */
  balanceCents: number;
  isInPendingPayrun: boolean;
  /** The business whose team would be left without an owner. */
  soleOwnerOf: string | null;
  isLastAdmin: boolean;
};

const lessons = (count: number) => (count === 1 ? '1 booked lesson' : `${count} booked lessons`);
const cancelOrWait = (count: number) =>
  count === 1 ? 'Cancel it, or wait until it is over.' : 'Cancel them, or wait until they are over.';

/** A sentence for each thing that has to be settled before the account can be deleted; none where nothing is open. */
export function listBlockers(open: BlockerFacts): string[] {
  const { balanceCents } = open;
  return [
    open.lessonsBooked > 0 &&
      `You have ${lessons(open.lessonsBooked)} ahead. ${cancelOrWait(open.lessonsBooked)}`,
    open.lessonsToGive > 0 &&
      `You have ${lessons(open.lessonsToGive)} to give. ${cancelOrWait(open.lessonsToGive)}`,
    open.unfinishedPayments > 0 && 'A payment of yours is still under way. It settles within the hour.',
    open.refundCents > 0 &&
      `A refund of ${formatPounds(open.refundCents)} is still on its way to you. Wait until it has left.`,
    balanceCents > 0 &&
      `You have earned ${formatPounds(balanceCents)} that was not paid out yet. Save your bank details and wait for the payout.`,
    balanceCents < 0 &&
      `You were paid ${formatPounds(-balanceCents)} for lessons that were refunded since. Please settle this with us first.`,
    open.isInPendingPayrun && 'A payout to you is under way. Wait until it has arrived.',
    open.soleOwnerOf !== null &&
      `You are the only owner of ${open.soleOwnerOf}, and others are in its team. Make one of them an owner, or end the business.`,
    open.isLastAdmin && 'You are the last admin. Make somebody else an admin first.',
  ].filter((sentence) => sentence !== false);
}

/** Deleting has to wait while anything is open; the first sentence stands for all of them. */
export function refuseDeletion(open: BlockerFacts): Refusal {
  const [first] = listBlockers(open);
  return first === undefined ? null : { code: 'conflict', message: first };
}
