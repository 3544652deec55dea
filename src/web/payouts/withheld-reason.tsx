import { formatPounds } from '#domain/money.ts';
import type { PayableBooking } from '#domain/payouts/contract.ts';
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
        {isDisputed && ' This booking can be paid once the dispute is won or its loss is booked.'}
      </span>
    </>
  );
}
