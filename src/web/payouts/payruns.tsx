import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Payrun, payoutsApi } from '#domain/payouts/contract.ts';
import { formatDay, formatTime } from '#domain/time.ts';
import { callApi, keyOf, useApiMutation } from '#web/app/api.ts';
import { saveFile } from '#web/app/save-file.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Money } from '#web/ui/money.tsx';
import { PagedList } from '#web/ui/paged-list.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import { StatusDot } from '#web/ui/status-dot.tsx';
import { Table, Td, Th } from '#web/ui/table.tsx';
import { toastError, toastSuccess } from '#web/ui/toaster.tsx';
import { MarkPaidDialog } from './mark-paid-dialog.tsx';

/** The payruns, newest first: their file for the bank, and marking them as paid. */
export function Payruns() {
  const found = useInfiniteQuery({
    queryKey: keyOf(payoutsApi.listPayruns),
    queryFn: ({ pageParam, signal }) =>
      callApi(payoutsApi.listPayruns, { cursor: pageParam, limit: 6 }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });
  const [paying, setPaying] = useState<Payrun | null>(null);
  const payruns = found.data?.pages.flatMap((page) => page.payruns) ?? [];
  return (
    <>
      <PagedList
        found={found}
        isEmpty={payruns.length === 0}
        skeleton={<SkeletonRows label="Loading payruns..." />}
        failure="Failed to load payout data"
        empty={
          <EmptyState title="No payruns yet" className="py-8">
            Tick bookings below and create the first one.
          </EmptyState>
        }
        more="Show more payruns"
      >
        <Table label="Payruns" isStacked>
          <thead>
            <tr>
              <Th>Payrun</Th>
              <Th>Reference</Th>
              <Th>Status</Th>
              <Th isNumeric>Total</Th>
              <Th>
                <span className="sr-only">Actions</span>
              </Th>
            </tr>
          </thead>
          <tbody>
            {payruns.map((payrun) => (
              <PayrunRow key={payrun.payrunId} payrun={payrun} onMarkPaid={() => setPaying(payrun)} />
            ))}
          </tbody>
        </Table>
      </PagedList>
      {paying && <MarkPaidDialog payrun={paying} onClose={() => setPaying(null)} />}
    </>
  );
}

function PayrunRow({ payrun, onMarkPaid }: { payrun: Payrun; onMarkPaid: () => void }) {
  const { payrunId, status, totalAmountCents, createdAt, paidAt, bookingCount, coachCount } = payrun;
  const now = Date.now();
  const name = payrunId.slice(0, 8);
  return (
    <tr>
      <Td label="Payrun">
        <span className="max-md:text-right">
          <span className="block font-medium">{name}</span>
          <span className="block text-xs text-muted-foreground">
            <span className="inline-block">
              {formatDay(createdAt, now)}, {formatTime(createdAt)} ·
            </span>{' '}
            <span className="inline-block">
              {bookingCount} {bookingCount === 1 ? 'booking' : 'bookings'}, {coachCount}{' '}
              {coachCount === 1 ? 'coach' : 'coaches'}
            </span>
          </span>
          {payrun.changedBankDetails.length > 0 && (
            <span className="mt-1 block max-w-[52ch] text-xs text-warning">
              {payrun.changedBankDetails.join(', ')} {payrun.changedBankDetails.length === 1 ? 'has' : 'have'}{' '}
              changed bank details since. This payrun still pays to the former account.
            </span>
          )}
        </span>
      </Td>
      <Td label="Reference">{payrun.paymentReference}</Td>
      <Td label="Status">
        <span className="max-md:text-right">
          <StatusDot
            label={status === 'paid' ? 'Paid' : 'Pending'}
            tone={status === 'paid' ? 'success' : 'warning'}
          />
          {paidAt && <span className="block text-xs text-muted-foreground">{formatDay(paidAt, now)}</span>}
        </span>
      </Td>
      <Td label="Total" isNumeric>
        <Money cents={totalAmountCents} className="font-medium" />
      </Td>
      <Td className="max-md:pt-2">
        <span className="flex grow justify-end gap-2">
          {status === 'pending' && (
            <Button size="sm" onClick={onMarkPaid} aria-label={`Mark Paid: payrun ${name}`}>
              Mark Paid
            </Button>
          )}
          <DownloadButton payrunId={payrunId} name={name} />
        </span>
      </Td>
    </tr>
  );
}

/** Fetches the payment file and hands it to the browser under its own name. */
function DownloadButton({ payrunId, name }: { payrunId: string; name: string }) {
  const file = useApiMutation(payoutsApi.getPayrunCsvRows);
  const download = () =>
    file.mutate(
      { payrunId },
      {
        onSuccess: ({ fileName, csv }) => {
          saveFile({ name: fileName, type: 'text/csv', text: csv });
          toastSuccess('CSV downloaded', fileName);
        },
        onError: (error) =>
          error.code === 'not_found' ? toastError(error.message, 'No data') : toastError(error.message),
      },
    );
  return (
    <Button
      size="sm"
      variant="secondary"
      onClick={download}
      isLoading={file.isPending}
      aria-label={`Download CSV: payrun ${name}`}
    >
      Download CSV
    </Button>
  );
}
