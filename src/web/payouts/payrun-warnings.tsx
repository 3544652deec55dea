import type { Payrun } from '#domain/payouts/contract.ts';
import { shortReference } from '#domain/reference.ts';
import { describeHold } from './held-reason.tsx';

/** What an admin must know about a payrun before paying it, and why a cancelled one was cancelled. */
export function PayrunWarnings({ payrun }: { payrun: Payrun }) {
  const { changedBankDetails, heldBookings, cancellationReason } = payrun;
  return (
    <span className="block max-w-[52ch] text-xs wrap-anywhere">
      {changedBankDetails.length > 0 && (
        <span className="mt-1 block text-warning">
          {changedBankDetails.join(', ')} {changedBankDetails.length === 1 ? 'has' : 'have'} changed bank
          details since this payrun was created. It still pays the old account. To pay the new one, cancel the
          payrun.
        </span>
      )}
      {heldBookings.map((held) => (
        <span key={held.bookingId} className="mt-1 block text-destructive">
          Must not be paid: {held.title} with {held.coachName} ({shortReference(held.bookingId)}),{' '}
          {describeHold(held)}.
        </span>
      ))}
      {cancellationReason && <span className="mt-1 block text-muted-foreground">“{cancellationReason}”</span>}
    </span>
  );
}
