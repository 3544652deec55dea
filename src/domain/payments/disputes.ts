import type { Refusal } from '../errors.ts';
import { formatPounds } from '../money.ts';

/** Stripe's statuses in which a dispute or an inquiry waits for our evidence. */
export const answerableStatuses = ['needs_response', 'warning_needs_response'];

/** Labels for Stripe's statuses. Stripe may add statuses, so any name is allowed. */
const statusLabels: Record<string, string> = {
  needs_response: 'Needs evidence',
  under_review: 'With the bank',
  won: 'Won',
  lost: 'Lost',
  warning_needs_response: 'Inquiry, needs evidence',
  warning_under_review: 'Inquiry, with the bank',
  warning_closed: 'Inquiry closed',
  prevented: 'Prevented',
};

export const describeDisputeStatus = (status: string): string =>
  statusLabels[status] ?? status.replaceAll('_', ' ');

/** "product_not_received" → "product not received". */
export const describeDisputeReason = (reason: string | null): string =>
  reason?.replaceAll('_', ' ') ?? 'unknown';

/** The state of the evidence: not sent, on its way to Stripe, sent, or refused by Stripe. */
export type EvidenceState = 'none' | 'sending' | 'sent' | 'refused';

type Case = { status: string; evidenceState: EvidenceState; evidenceDueBy: string | null };

/** Why evidence can't be sent at `now` (milliseconds); null if it can. It can be sent only once. */
export function refuseEvidence({ status, evidenceState, evidenceDueBy }: Case, now: number): Refusal {
  const refuse = (message: string): Refusal => ({ code: 'conflict', message });
  if (evidenceState === 'sending' || evidenceState === 'sent') {
    return refuse('The evidence has already been sent. A bank accepts evidence only once.');
  }
  if (!answerableStatuses.includes(status))
    return refuse('The bank no longer accepts evidence for this dispute.');
  if (evidenceDueBy && Date.parse(evidenceDueBy) <= now) {
    return refuse('The last day for sending evidence has passed.');
  }
  return null;
}

/** Why the loss of a dispute can't be recorded; null if it can. Only a lost dispute moves money, and only once. */
export function refuseRecordLoss({
  status,
  lossRecordedAt,
}: {
  status: string;
  lossRecordedAt: string | null;
}): Refusal {
  if (lossRecordedAt) return { code: 'conflict', message: 'This loss has already been recorded.' };
  if (status === 'lost') return null;
  return { code: 'conflict', message: 'You can record a loss only for a lost dispute.' };
}

type Part = { bookingId: string; leftCents: number };

/** What a lost dispute takes from its bookings: its amount, limited to what is left of them after refunds. */
export const lossOf = (amountCents: number, parts: readonly Part[]): number =>
  Math.min(
    amountCents,
    parts.reduce((sum, { leftCents }) => sum + leftCents, 0),
  );

/**
 * How a loss is divided among the bookings of its payment. If the loss is all that is left, each booking loses what it
 * has left. If only one booking has anything left, it bears the loss. Otherwise null: an admin has to decide, because
 * only a person knows which lesson was meant.
 */
export function divideLoss(amountCents: number, parts: readonly Part[]): Map<string, number> | null {
  const loss = lossOf(amountCents, parts);
  const left = parts.filter(({ leftCents }) => leftCents > 0);
  const isAll = left.reduce((sum, { leftCents }) => sum + leftCents, 0) === loss;
  if (!isAll && left.length !== 1) return null;
  return new Map(left.map(({ bookingId, leftCents }) => [bookingId, isAll ? leftCents : loss]));
}

/** Why a loss can't be divided like this; null if it can. */
export function refuseDivision(
  amountCents: number,
  parts: readonly Part[],
  division: ReadonlyMap<string, number>,
): Refusal {
  const loss = lossOf(amountCents, parts);
  const sum = [...division.values()].reduce((total, cents) => total + cents, 0);
  const refuse = (message: string): Refusal => ({ code: 'unprocessable', message });
  if (sum !== loss) return refuse(`The parts must add up to ${formatPounds(loss)}.`);
  for (const [bookingId, cents] of division) {
    const part = parts.find((one) => one.bookingId === bookingId);
    if (!part) return refuse('One of these bookings is not part of the disputed payment.');
    if (cents > part.leftCents) {
      return refuse(`At most ${formatPounds(part.leftCents)} is left of one of these bookings.`);
    }
  }
  return null;
}
