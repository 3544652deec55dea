import { useState } from 'react';
import type { Payrun } from '#domain/payouts/contract.ts';
import { type PayrunPayment, payrunApi } from '#domain/payouts/payrun-contract.ts';
import { formatDay } from '#domain/time.ts';
import { useApi } from '#web/app/api/api.ts';
import { Button } from '#web/ui/button.tsx';
import { TypedFilter } from '#web/ui/form/typed-filter.tsx';
import { Money } from '#web/ui/money.tsx';
import { useDialogItem } from '#web/ui/overlay/dialog-item.ts';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { NoValue, Table, Td, Th } from '#web/ui/table.tsx';
import { EnterReturnDialog } from './enter-return-dialog.tsx';

type PayrunPaymentsProps = { payrun: Payrun; payments: PayrunPayment[] };

/** The payments of a payrun, one per coach. In a paid payrun, each can be marked as returned. */
export function PayrunPayments({ payrun, payments: first }: PayrunPaymentsProps) {
  const [search, setSearch] = useState<string>();
  const isSearching = search !== undefined;
  const found = useApi(payrunApi.getPayrun, { payrunId: payrun.payrunId, search }, { enabled: isSearching });
  const payments = (isSearching ? found.data?.payments : undefined) ?? first;
  const returning = useDialogItem<PayrunPayment>();
  const hasActions = payrun.status === 'paid' && payments.some(({ returned }) => !returned);
  return (
    <>
      {payrun.coachCount > 10 && (
        <div className="mb-4 max-w-xs">
          <TypedFilter
            label="Search by coach"
            maxLength={100}
            isLabelHidden={false}
            value={search}
            onSettled={setSearch}
          />
        </div>
      )}
      {payments.length === 0 ? (
        <EmptyState title="No coach with this name" className="py-6">
          Clear the search to see every payment.
        </EmptyState>
      ) : (
        <Table label="Payments" isStacked>
          <thead>
            <tr>
              <Th>Coach</Th>
              <Th>Account</Th>
              <Th isNumeric>Bookings</Th>
              <Th isNumeric>Deducted</Th>
              <Th isNumeric>Payment</Th>
              {hasActions && (
                <Th>
                  <span className="sr-only">Actions</span>
                </Th>
              )}
            </tr>
          </thead>
          <tbody>
            {payments.map((payment) => (
              <PaymentRow
                key={payment.coachId}
                payment={payment}
                hasActions={hasActions}
                onReturn={() => returning.open(payment)}
              />
            ))}
          </tbody>
        </Table>
      )}
      {payments.length === 500 && payrun.coachCount > 500 && (
        <p className="mt-3 text-sm text-muted-foreground">
          The first 500 of {payrun.coachCount} coaches are shown. Search for others by name.
        </p>
      )}
      {returning.item && (
        <EnterReturnDialog
          key={returning.openings}
          payrunId={payrun.payrunId}
          payment={returning.item}
          isOpen={returning.isOpen}
          onClose={returning.close}
        />
      )}
    </>
  );
}

type PaymentRowProps = { payment: PayrunPayment; hasActions: boolean; onReturn: () => void };

function PaymentRow({ payment, hasActions, onReturn }: PaymentRowProps) {
  const { coachName, accountName, maskedAccountNumber, bookingCount, bookingsCents } = payment;
  const { deductedCents, amountCents, returned } = payment;
  return (
    <tr>
      <Td label="Coach">
        <span className="max-md:text-right">
          <span className="block font-medium wrap-anywhere">{coachName}</span>
          {returned && (
            <span className="block max-w-[44ch] text-xs wrap-anywhere text-warning">
              Returned: “{returned.reason}” · {formatDay(returned.enteredAt, Date.now())}, entered by{' '}
              {returned.enteredBy}
            </span>
          )}
        </span>
      </Td>
      <Td label="Account">
        <span className="max-md:text-right">
          <span className="block wrap-anywhere">{accountName}</span>
          <span className="block text-xs text-muted-foreground">{maskedAccountNumber}</span>
        </span>
      </Td>
      <Td label="Bookings" isNumeric>
        <span>
          <Money cents={bookingsCents} />
          <span className="block text-xs whitespace-nowrap text-muted-foreground">
            {bookingCount} {bookingCount === 1 ? 'booking' : 'bookings'}
          </span>
        </span>
      </Td>
      <Td label="Deducted" isNumeric>
        {deductedCents > 0 ? <Money cents={-deductedCents} /> : <NoValue />}
      </Td>
      <Td label="Payment" isNumeric>
        <Money
          cents={amountCents}
          className={`font-medium ${returned ? 'text-muted-foreground line-through' : ''}`}
        />
      </Td>
      {hasActions && (
        <Td className="max-md:pt-2">
          {!returned && (
            <span className="flex grow justify-end">
              <Button
                size="sm"
                variant="secondary"
                onClick={onReturn}
                aria-label={`Mark as returned: payment to ${coachName}`}
              >
                Mark as returned
              </Button>
            </span>
          )}
        </Td>
      )}
    </tr>
  );
}
