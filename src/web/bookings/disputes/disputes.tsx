import { useState } from 'react';
import { describeDisputeReason, describeDisputeStatus } from '#domain/payments/disputes.ts';
import { type DisputeSummary, disputesApi } from '#domain/payments/disputes-contract.ts';
import { formatDay } from '#domain/time.ts';
import { useApi } from '#web/app/api/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Section } from '#web/ui/card.tsx';
import { Money } from '#web/ui/money.tsx';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { SkeletonRows } from '#web/ui/page/skeleton.tsx';
import { RecordCell } from '#web/ui/record-cell.tsx';
import { NoValue, Table, Td, Th } from '#web/ui/table.tsx';
import { DisputeState } from './dispute-state.tsx';

/** Disputed payments, soonest evidence deadline first. A button shows the decided disputes instead. */
export function Disputes() {
  const [view, setView] = useState<'open' | 'done'>('open');
  const found = useApi(disputesApi.listDisputes, { view });
  return (
    <Section
      title="Disputes"
      description="Payments that customers have disputed with their banks. Until a dispute is over, its bookings can't be added to a payrun. Earlier payouts don't change."
      actions={
        <Button
          size="sm"
          variant="secondary"
          aria-pressed={view === 'done'}
          onClick={() => setView(view === 'open' ? 'done' : 'open')}
        >
          Show decided disputes
        </Button>
      }
    >
      <QueryView
        query={found}
        failure="Failed to load disputes"
        isPart
        skeleton={<SkeletonRows count={2} label="Loading disputes..." />}
        isEmpty={({ disputes }) => disputes.length === 0}
        empty={
          <p className="text-sm text-muted-foreground">
            {view === 'open' ? 'No open disputes.' : 'No dispute has been decided yet.'}
          </p>
        }
      >
        {({ disputes }) => (
          <Table label="Disputes" isStacked>
            <thead>
              <tr>
                <Th>Dispute</Th>
                <Th>Status</Th>
                <Th>Evidence due</Th>
                <Th isNumeric>Amount</Th>
              </tr>
            </thead>
            <tbody>
              {disputes.map((dispute) => (
                <DisputeRow key={dispute.disputeId} dispute={dispute} />
              ))}
            </tbody>
          </Table>
        )}
      </QueryView>
    </Section>
  );
}

function DisputeRow({ dispute }: { dispute: DisputeSummary }) {
  const { disputeId, customerName, titles, reason, evidenceDueBy, amountCents, status } = dispute;
  return (
    <tr>
      <RecordCell label="Dispute" name={customerName} to="/admin/disputes/$disputeId" params={{ disputeId }}>
        {titles.join(', ')} · {describeDisputeReason(reason)}
      </RecordCell>
      <Td label="Status">
        <span className="max-md:text-right">
          <DisputeState dispute={dispute} label={describeDisputeStatus(status)} />
        </span>
      </Td>
      <Td label="Evidence due" className="whitespace-nowrap">
        {evidenceDueBy ? formatDay(evidenceDueBy, Date.now()) : <NoValue />}
      </Td>
      <Td label="Amount" isNumeric>
        <Money cents={amountCents} className="font-medium" />
      </Td>
    </tr>
  );
}
