import type { Payrun } from '#domain/payouts/contract.ts';
import { formatDay } from '#domain/time.ts';
import { StatusDot } from '#web/ui/status-dot.tsx';

const statusDots = {
  pending: { label: 'Pending', tone: 'warning' },
  paid: { label: 'Paid', tone: 'success' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
} as const;

/** The status of a payrun, the day it was paid or cancelled, and how many of its payments were returned. */
export function PayrunStatus({ payrun, needsAnother }: { payrun: Payrun; needsAnother: boolean }) {
  const { status, paidAt, cancelledAt, returnedCount } = payrun;
  const endedAt = paidAt ?? cancelledAt;
  const muted = 'block text-xs text-muted-foreground';
  return (
    <>
      <StatusDot {...statusDots[status]} />
      {endedAt && <span className={`${muted} whitespace-nowrap`}>{formatDay(endedAt, Date.now())}</span>}
      {needsAnother && status === 'pending' && <span className={muted}>Needs another admin</span>}
      {returnedCount > 0 && (
        <span className="block text-xs text-warning">
          {returnedCount === 1 ? '1 payment returned' : `${returnedCount} payments returned`}
        </span>
      )}
    </>
  );
}
