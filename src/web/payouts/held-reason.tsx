import { formatPounds } from '#domain/money.ts';
import type { PayableBooking } from '#domain/payouts/contract.ts';
import { Badge } from '#web/ui/badge.tsx';

type Held = Pick<PayableBooking, 'disputedCents' | 'refundedOutsideCents'>;

/** Whether no payrun may pay a booking, whatever its coach does. */
export const isHeld = ({ disputedCents, refundedOutsideCents }: Held) =>
  disputedCents > 0 || refundedOutsideCents > 0;

/** Why a booking is held: "£15.00 refunded at the card network", "£50.00 disputed by the bank". */
export function describeHold({ disputedCents, refundedOutsideCents }: Held): string {
  return [
    disputedCents > 0 && `${formatPounds(disputedCents)} disputed by the customer’s bank`,
    refundedOutsideCents > 0 && `${formatPounds(refundedOutsideCents)} refunded at the card network`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** The badge of a held booking with its reason. */
export function HeldReason({ id, held }: { id: string; held: Held }) {
  const isDisputed = held.disputedCents > 0;
  return (
    <>
      <Badge tone="destructive">{isDisputed ? 'Disputed' : 'Refunded elsewhere'}</Badge>
      <span id={id} className="mt-1 block max-w-[24ch] text-xs text-muted-foreground">
        Cannot be paid: {describeHold(held)}.{isDisputed && ' It can be once the dispute is won.'}
      </span>
    </>
  );
}
