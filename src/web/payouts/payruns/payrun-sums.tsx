import type { PayrunPreview } from '#domain/payouts/contract.ts';
import { Money } from '#web/ui/money.tsx';

/** The amounts that a payrun would pay: a line per coach, the total, and the excluded coaches. */
export function PayrunSums({ preview }: { preview: PayrunPreview }) {
  const { coaches, leftOut, bookingCount, totalAmountCents } = preview;
  return (
    <>
      <ul className="divide-y border-y text-sm">
        {coaches.map(({ coachId, coachName, bookingCount: count, deductedCents, amountCents }) => (
          <li key={coachId} className="flex items-baseline justify-between gap-4 py-2.5">
            <span className="min-w-0 wrap-anywhere">
              {coachName}{' '}
              <span className="text-muted-foreground">
                · {count} {count === 1 ? 'booking' : 'bookings'}
                {deductedCents > 0 && (
                  <>
                    , less <Money cents={deductedCents} /> refunded after payout
                  </>
                )}
              </span>
            </span>
            <Money cents={amountCents} />
          </li>
        ))}
        <li className="flex items-baseline justify-between gap-4 py-2.5 font-semibold">
          <span>
            Total in GBP{' '}
            <span className="font-normal text-muted-foreground">
              · {bookingCount.toLocaleString('en-GB')} {bookingCount === 1 ? 'booking' : 'bookings'}
            </span>
          </span>
          <Money cents={totalAmountCents} />
        </li>
      </ul>
      {leftOut.length > 0 && (
        <div className="text-sm text-muted-foreground">
          <p>These coaches aren't in this payrun, because refunds after payout exceed their new earnings:</p>
          <ul className="mt-1 list-disc pl-5">
            {leftOut.map(({ coachId, coachName, owedCents }) => (
              <li key={coachId} className="wrap-anywhere">
                {coachName} still owes <Money cents={owedCents} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}
