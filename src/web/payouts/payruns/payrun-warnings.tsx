import type { Payrun } from '#domain/payouts/contract.ts';
import { shortReference } from '#domain/reference.ts';
import { describeWithheldReason } from '../withheld-reason.tsx';

/** Warnings that an admin must read before paying a payrun; for a cancelled payrun, the reason. */
export function PayrunWarnings({ payrun }: { payrun: Payrun }) {
  const { changedBankDetails, withheldBookings, cancellationReason } = payrun;
  return (
    <span className="block max-w-[52ch] text-xs wrap-anywhere">
      {changedBankDetails.length > 0 && (
        <span className="mt-1 block text-warning">
          {changedBankDetails.join(', ')} {changedBankDetails.length === 1 ? 'has' : 'have'} changed bank
          details since this payrun was created. The payrun still uses the old details. To use the new
          details, cancel the payrun and create another.
        </span>
      )}
      {withheldBookings.map((withheld) => (
        <span key={withheld.bookingId} className="mt-1 block text-destructive">
          Must not be paid: {withheld.title} with {withheld.coachName} ({shortReference(withheld.bookingId)}),{' '}
          {describeWithheldReason(withheld)}.
        </span>
      ))}
      {cancellationReason && <span className="mt-1 block text-muted-foreground">“{cancellationReason}”</span>}
    </span>
  );
}
