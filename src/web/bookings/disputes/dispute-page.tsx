import { Link, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { describeCard } from '#domain/card-labels.ts';
import {
  describeDisputeReason,
  describeDisputeStatus,
  refuseEvidence,
  refuseRecordLoss,
} from '#domain/payments/disputes.ts';
import { type Dispute, disputesApi } from '#domain/payments/disputes-contract.ts';
import { formatDay, formatTime } from '#domain/time.ts';
import { useApi } from '#web/app/api/api.ts';
import { AreaGate } from '#web/app/auth/gates.tsx';
import { PersonalPage } from '#web/app/layout/area-layout.tsx';
import { Button } from '#web/ui/button.tsx';
import { Section } from '#web/ui/card.tsx';
import { Money } from '#web/ui/money.tsx';
import { BackLink } from '#web/ui/page/back-link.tsx';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { RecordFacts, RecordHeading, RecordSkeleton } from '#web/ui/page/record-page.tsx';
import { DisputeState } from './dispute-state.tsx';
import { DisputedBookings } from './disputed-bookings.tsx';
import { EvidenceForm } from './evidence-form.tsx';
import { RecordLossDialog } from './record-loss-dialog.tsx';

/** A disputed payment: its bookings, the evidence from our records, and who bears the loss. */
export default function DisputeScreen() {
  const { disputeId = '' } = useParams({ strict: false }) as { disputeId?: string };
  // Polls, because Stripe may take a while to confirm evidence.
  const found = useApi(disputesApi.getDispute, { disputeId }, { refetchInterval: 30_000 });
  return (
    <AreaGate area="admin">
      <PersonalPage>
        <BackLink to="/admin/panel" search={{ tab: 'payouts' }}>
          Payouts
        </BackLink>
        <QueryView
          query={found}
          failure="Failed to load the dispute"
          skeleton={<RecordSkeleton label="Loading the dispute..." />}
          missing={
            <EmptyState
              titleAs="h1"
              title="Dispute not found"
              action={
                <Button asChild variant="secondary">
                  <Link to="/admin/panel" search={{ tab: 'payouts' }}>
                    All disputes
                  </Link>
                </Button>
              }
            >
              There is no dispute at this address.
            </EmptyState>
          }
        >
          {({ dispute }) => <DisputeCase key={dispute.disputeId} dispute={dispute} />}
        </QueryView>
      </PersonalPage>
    </AreaGate>
  );
}

function DisputeCase({ dispute }: { dispute: Dispute }) {
  const [isRecording, setIsRecording] = useState(false);
  const { customerName, status, lossRecordedAt, evidence } = dispute;
  const isOver = lossRecordedAt !== null || status === 'won' || status === 'warning_closed';
  const canRecord = refuseRecordLoss(dispute) === null;
  const canSend = refuseEvidence(dispute, Date.now()) === null;
  return (
    <>
      <RecordHeading
        title={`Dispute by ${customerName}`}
        status={<DisputeState dispute={dispute} label={describeDisputeStatus(status)} />}
      >
        {canRecord && <Button onClick={() => setIsRecording(true)}>Record the loss</Button>}
      </RecordHeading>
      <DisputeFacts dispute={dispute} />
      <Section
        title="Bookings"
        description={
          isOver
            ? 'What the payment was for.'
            : "What the payment was for. Bookings that haven't been paid out can't be added to a payrun until the dispute is won or its loss is recorded. Earlier payouts don't change."
        }
      >
        <DisputedBookings bookings={dispute.bookings} />
      </Section>
      {evidence && <EvidenceForm dispute={dispute} evidence={evidence} canSend={canSend} />}
      {isRecording && <RecordLossDialog dispute={dispute} onClose={() => setIsRecording(false)} />}
    </>
  );
}

function DisputeFacts({ dispute }: { dispute: Dispute }) {
  const { amountCents, paymentCents, stripeFeeCents, reason, openedAt, evidenceDueBy, card } = dispute;
  const { lossRecordedAt, lossRecordedBy, lossCents, borneBy, evidenceRefusal } = dispute;
  const now = Date.now();
  const at = (instant: string) => `${formatDay(instant, now)}, ${formatTime(instant)}`;
  const facts: [string, ReactNode][] = [
    ['Payment', <Money key="payment" cents={paymentCents} />],
    ['Card', card && describeCard(card)],
    [
      "Bank's reason",
      <span key="reason" className="inline-block first-letter:uppercase">
        {describeDisputeReason(reason)}
      </span>,
    ],
    ['Opened', at(openedAt)],
    ['Evidence due', evidenceDueBy && at(evidenceDueBy)],
    ["Stripe's fee, borne by the platform", stripeFeeCents > 0 && <Money key="fee" cents={stripeFeeCents} />],
    [
      'Loss recorded',
      lossRecordedAt && (
        <span key="loss">
          <Money cents={lossCents ?? 0} /> borne by the {borneBy === 'coach' ? 'coach' : 'platform'},{' '}
          {at(lossRecordedAt)}
          {lossRecordedBy && ` by ${lossRecordedBy}`}
        </span>
      ),
    ],
  ];
  return (
    <>
      <RecordFacts amounts={[['Disputed', <Money key="disputed" cents={amountCents} />]]} facts={facts} />
      {evidenceRefusal && (
        <p className="mb-8 rounded-md bg-destructive-soft px-3 py-2 text-sm wrap-anywhere text-destructive">
          Stripe refused the evidence: {evidenceRefusal}
        </p>
      )}
    </>
  );
}
