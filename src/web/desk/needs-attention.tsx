import { Link } from '@tanstack/react-router';
import type { DeskBooking, UnenteredRefund } from '#domain/desk/desk-booking.ts';
import { formatDay } from '#domain/time.ts';
import { Button } from '#web/ui/button.tsx';
import { Section } from '#web/ui/card.tsx';
import { Money } from '#web/ui/money.tsx';
import { useDialogItem } from '#web/ui/overlay/dialog-item.ts';
import { EnterRefundDialog } from './enter-refund-dialog.tsx';
import { RefundRequests } from './waiting-refunds.tsx';

/** What an admin must decide about a booking: waiting refunds, refunds made in Stripe, and disputes. */
export function NeedsAttention({ booking }: { booking: DeskBooking }) {
  const entering = useDialogItem<UnenteredRefund>();
  const { requests, unentered, disputedCents, disputeId } = booking;
  if (requests.length === 0 && unentered.length === 0 && disputeId === null) return null;
  return (
    <Section title="Needs attention">
      {disputeId !== null && (
        <div className="flex flex-wrap items-center justify-between gap-3 pb-4 text-sm">
          <p className="min-w-0 grow basis-72 wrap-anywhere">
            The customer disputes <Money cents={disputedCents} className="font-medium" /> of this payment.
          </p>
          <Button asChild size="sm" variant="secondary">
            <Link to="/admin/disputes/$disputeId" params={{ disputeId }}>
              View dispute
            </Link>
          </Button>
        </div>
      )}
      {requests.length > 0 && <RefundRequests requests={requests} />}
      {unentered.map((refund) => (
        <div
          key={refund.stripeRefundId}
          className="flex flex-wrap items-center justify-between gap-3 border-t py-4 text-sm first:border-t-0"
        >
          <p className="min-w-0 grow basis-72 wrap-anywhere">
            <Money cents={refund.amountCents} className="font-medium" /> of this payment was refunded in
            Stripe on {formatDay(refund.madeAt, Date.now())}. Until you enter the refund, the payment's
            bookings can't be paid out.
          </p>
          <Button size="sm" variant="secondary" onClick={() => entering.open(refund)}>
            Enter refund
          </Button>
        </div>
      ))}
      {entering.item && (
        <EnterRefundDialog
          key={entering.openings}
          refund={entering.item}
          isOpen={entering.isOpen}
          onClose={entering.close}
        />
      )}
    </Section>
  );
}
