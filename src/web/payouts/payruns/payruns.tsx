import { type Payrun, payoutsApi } from '#domain/payouts/contract.ts';
import { refusePayrunStep } from '#domain/payouts/payruns.ts';
import { shortReference } from '#domain/reference.ts';
import { formatDay, formatTime } from '#domain/time.ts';
import { usePages } from '#web/app/api/use-pages.ts';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { Money } from '#web/ui/money.tsx';
import { useDialogItem } from '#web/ui/overlay/dialog-item.ts';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { PagedList } from '#web/ui/page/paged-list.tsx';
import { SkeletonRows } from '#web/ui/page/skeleton.tsx';
import { RecordCell } from '#web/ui/record-cell.tsx';
import { Table, Td, Th } from '#web/ui/table.tsx';
import { CancelPayrunDialog } from './cancel-payrun-dialog.tsx';
import { MarkPaidDialog } from './mark-paid-dialog.tsx';
import { PayrunActions } from './payrun-actions.tsx';
import { PayrunStatus } from './payrun-status.tsx';
import { PayrunWarnings } from './payrun-warnings.tsx';

/** The payruns, newest first, with the actions to download their files, mark them as paid and cancel them. */
export function Payruns() {
  const found = usePages(payoutsApi.listPayruns, { limit: 6 }, (page) => page.payruns);
  const paying = useDialogItem<Payrun>();
  const cancelling = useDialogItem<Payrun>();
  return (
    <>
      <PagedList
        found={found}
        skeleton={<SkeletonRows label="Loading payruns..." />}
        failure="Failed to load payout data"
        empty={
          <EmptyState title="No payruns yet" className="py-8">
            Select bookings below to create the first one.
          </EmptyState>
        }
        more="Show more payruns"
      >
        {(payruns) => (
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
                <PayrunRow
                  key={payrun.payrunId}
                  payrun={payrun}
                  onMarkPaid={() => paying.open(payrun)}
                  onCancel={() => cancelling.open(payrun)}
                />
              ))}
            </tbody>
          </Table>
        )}
      </PagedList>
      {paying.item && (
        <MarkPaidDialog
          key={`pay ${paying.openings}`}
          payrun={paying.item}
          isOpen={paying.isOpen}
          onClose={paying.close}
        />
      )}
      {cancelling.item && (
        <CancelPayrunDialog
          key={`cancel ${cancelling.openings}`}
          payrun={cancelling.item}
          isOpen={cancelling.isOpen}
          onClose={cancelling.close}
        />
      )}
    </>
  );
}

type PayrunRowProps = { payrun: Payrun; onMarkPaid: () => void; onCancel: () => void };

function PayrunRow({ payrun, onMarkPaid, onCancel }: PayrunRowProps) {
  const { payrunId, totalAmountCents, createdAt, bookingCount, coachCount } = payrun;
  const { createdBy, needsSecondAdmin } = payrun;
  const { user } = useAuth();
  const needsAnother =
    refusePayrunStep({ needsSecondAdmin, createdBy: createdBy.userId }, user?.id ?? '') !== null;
  const now = Date.now();
  return (
    <tr>
      <RecordCell
        label="Payrun"
        name={shortReference(payrunId)}
        to="/admin/payruns/$payrunId"
        params={{ payrunId }}
        notes={<PayrunWarnings payrun={payrun} />}
      >
        <span className="inline-block">
          {formatDay(createdAt, now)}, {formatTime(createdAt)} ·
        </span>{' '}
        <span className="inline-block">
          {bookingCount} {bookingCount === 1 ? 'booking' : 'bookings'}, {coachCount}{' '}
          {coachCount === 1 ? 'coach' : 'coaches'} ·
        </span>{' '}
        <span className="inline-block">
          by {createdBy.fullName}
          {payrun.paidBy && payrun.paidBy !== createdBy.fullName && `, paid by ${payrun.paidBy}`}
        </span>
      </RecordCell>
      <Td label="Reference">{payrun.paymentReference}</Td>
      <Td label="Status">
        <span className="max-md:text-right">
          <PayrunStatus payrun={payrun} needsAnother={needsAnother} />
        </span>
      </Td>
      <Td label="Total" isNumeric>
        <Money cents={totalAmountCents} className="font-medium" />
      </Td>
      <Td className="max-md:pt-2">
        <PayrunActions {...{ payrun, needsAnother, onMarkPaid, onCancel }} />
      </Td>
    </tr>
  );
}
