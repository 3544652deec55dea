import { Link } from '@tanstack/react-router';
import { type FailedRefund, refundsApi } from '#domain/bookings/refunds-contract.ts';
import { describeCard } from '#domain/card-labels.ts';
import { formatPounds } from '#domain/money.ts';
import { shortReference } from '#domain/reference.ts';
import { formatDay, formatTime } from '#domain/time.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { usePages } from '#web/app/api/use-pages.ts';
import { Button } from '#web/ui/button.tsx';
import { Section } from '#web/ui/card.tsx';
import { Money } from '#web/ui/money.tsx';
import { useDialogItem } from '#web/ui/overlay/dialog-item.ts';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.ts';
import { PagedList } from '#web/ui/page/paged-list.tsx';
import { SettleRefundDialog } from './settle-refund-dialog.tsx';

/** Failed refunds, for an admin to retry or settle another way; renders nothing if there are none. */
export function FailedRefunds() {
  const found = usePages(refundsApi.listFailed, {}, (page) => page.refunds);
  const settling = useDialogItem<FailedRefund>();
  if (found.items.length === 0 && !found.isError) return null;
  return (
    <Section
      title="Refunds that need attention"
      description="Stripe or a bank refused these refunds. We've emailed the customers about the delay."
    >
      <PagedList
        found={found}
        skeleton={null}
        failure="Failed to load refunds"
        empty={null}
        more="Show more refunds"
      >
        {(refunds) => (
          <ul aria-label="Refunds that need attention" className="divide-y border-t">
            {refunds.map((refund) => (
              <RefundRow key={refund.refundId} refund={refund} onSettle={() => settling.open(refund)} />
            ))}
          </ul>
        )}
      </PagedList>
      {settling.item && (
        <SettleRefundDialog
          key={settling.openings}
          refund={settling.item}
          isOpen={settling.isOpen}
          onClose={settling.close}
        />
      )}
    </Section>
  );
}

function RefundRow({ refund, onSettle }: { refund: FailedRefund; onSettle: () => void }) {
  const { refundId, bookingId, amountCents, customerName, customerEmail, title, startTime, failedAt } =
    refund;
  const retry = useApiMutation(refundsApi.retry, {
    invalidates: [refundsApi.listFailed],
    onSuccess: () =>
      toastSuccess('Refund sent again', 'If the refund fails again, it will reappear in this list.'),
  });
  const now = Date.now();
  const tryAgain = () => retry.mutate({ refundId }, { onError: (error) => toastError(error.message) });
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 py-4">
      <div className="min-w-0 grow basis-72 space-y-1 text-sm wrap-anywhere">
        <p className="font-medium">
          <Money cents={amountCents} /> to {customerName}
          {refund.card && ` · ${describeCard(refund.card)}`}
        </p>
        <p className="text-muted-foreground">
          {title} with {refund.coachName}, {formatDay(startTime, now)}, {formatTime(startTime)} ·{' '}
          <Link to="/admin/bookings/$bookingId" params={{ bookingId }}>
            booking {shortReference(bookingId)}
          </Link>{' '}
          · <a href={`mailto:${customerEmail}`}>{customerEmail}</a>
        </p>
        <p className="text-warning">
          {formatDay(failedAt, now)}: {refund.message}
        </p>
        {refund.refundedInStripeCents > 0 && (
          <p className="text-muted-foreground">
            {formatPounds(refund.refundedInStripeCents)} of this payment was refunded directly in Stripe, not
            by us.
          </p>
        )}
      </div>
      <span className="flex flex-wrap gap-2">
        <Button
          size="sm"
          variant="secondary"
          onClick={tryAgain}
          isLoading={retry.isPending}
          loadingText="Sending..."
          aria-label={`Try again: refund to ${customerName}`}
        >
          Try again
        </Button>
        <Button
          size="sm"
          variant="secondary"
          onClick={onSettle}
          aria-label={`Settle another way: refund to ${customerName}`}
        >
          Settle another way
        </Button>
      </span>
    </li>
  );
}
