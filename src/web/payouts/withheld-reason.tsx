import { formatPounds } from '#domain/money.ts';
import type { PayableBooking } from '#domain/payouts/contract.ts';
import type { PayoutWait } from '#domain/progress/rules.ts';
import { formatDay } from '#domain/time.ts';
import { Badge } from '#web/ui/badge.tsx';

type Withheld = Pick<PayableBooking, 'disputedCents' | 'refundedOutsideCents'>;

/** True if a booking is withheld: no payrun may pay it, even if its coach has bank details. */
export const isWithheld = ({ disputedCents, refundedOutsideCents }: Withheld) =>
  disputedCents > 0 || refundedOutsideCents > 0;

/** Why a booking is withheld: "£15.00 refunded in Stripe", "£50.00 disputed by the customer's bank". */
export function describeWithheldReason({ disputedCents, refundedOutsideCents }: Withheld): string {
  return [
    disputedCents > 0 && `${formatPounds(disputedCents)} disputed by the customer's bank`,
    refundedOutsideCents > 0 && `${formatPounds(refundedOutsideCents)} refunded in Stripe`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** The badge of a withheld booking, with the reason. */
export function WithheldReason({ id, withheld }: { id: string; withheld: Withheld }) {
  const isDisputed = withheld.disputedCents > 0;
  return (
    <>
      <Badge tone="destructive">{isDisputed ? 'Disputed' : 'Refunded elsewhere'}</Badge>
      <span id={id} className="mt-1 block max-w-[24ch] text-xs text-muted-foreground">
        Can't be paid: {describeWithheldReason(withheld)}.
        {isDisputed && ' This booking can be paid once the dispute is won or its loss is recorded.'}
      </span>
    </>
  );
}

/** What a payout waits for, as text to follow "Waits for". */
export const waitNames: Record<PayoutWait, string> = { attendance: 'attendance', note: 'a note' };

/**
 * The badge of a booking that waits for a requirement of the coach's business, with the day from which it can be paid.
 */
export function WaitingReason({
  id,
  waitsFor,
  endTime,
}: {
  id: string;
  waitsFor: PayoutWait;
  endTime: string;
}) {
  const payableAt = new Date(Date.parse(endTime) + 7 * 24 * 3_600_000).toISOString();
  return (
    <>
      <Badge tone="warning">Waits for {waitNames[waitsFor]}</Badge>
      <span id={id} className="mt-1 block max-w-[24ch] text-xs text-muted-foreground">
        The coach's business requires it. Can be paid anyway from {formatDay(payableAt, Date.now())}.
      </span>
    </>
  );
}
