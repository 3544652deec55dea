import { Link, useParams } from '@tanstack/react-router';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import { useState } from 'react';
import { describeCard } from '#domain/card-labels.ts';
import {
  describeDisputeReason,
  describeDisputeStatus,
  refuseBooking,
  refuseEvidence,
} from '#domain/payments/disputes.ts';
import { type Dispute, disputesApi } from '#domain/payments/disputes-contract.ts';
import { formatDay, formatTime } from '#domain/time.ts';
import { useApi } from '#web/app/api/api.ts';
import { AreaGate } from '#web/app/auth/gates.tsx';
import { PersonalPage } from '#web/app/layout/area-layout.tsx';
import { Button } from '#web/ui/button.tsx';
import { Section } from '#web/ui/card.tsx';
import { Money } from '#web/ui/money.tsx';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { Loading, Skeleton, SkeletonRows } from '#web/ui/page/skeleton.tsx';
import { BookOutcomeDialog } from './book-outcome-dialog.tsx';
import { DisputeState } from './dispute-state.tsx';
import { DisputedBookings } from './disputed-bookings.tsx';
import { EvidenceForm } from './evidence-form.tsx';

/** A disputed payment: its bookings, the evidence from our records, and on whom a lost one is booked. */
export function DisputeScreen() {
  const { disputeId = '' } = useParams({ strict: false }) as { disputeId?: string };
  // Stripe may take a while to confirm evidence.
  const found = useApi(disputesApi.getDispute, { disputeId }, { refetchInterval: 30_000 });
  return (
    <AreaGate area="admin">
      <PersonalPage>
        <Link
          to="/admin/panel"
          search={{ tab: 'payouts' }}
          className="-my-2 inline-flex min-h-11 items-center gap-1.5 self-start text-sm text-muted-foreground hover:text-foreground"
        >
          <ArrowLeft aria-hidden className="size-4" />
          Payouts
        </Link>
        <QueryView
          query={found}
          failure="Failed to load the dispute"
          skeleton={
            <Loading label="Loading the dispute..." className="mt-6 space-y-6">
              <Skeleton className="h-8 w-64" />
              <Skeleton className="h-24 w-full" />
              <SkeletonRows label="" />
            </Loading>
          }
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
  const [isBooking, setIsBooking] = useState(false);
  const { customerName, status, bookedAt, evidence } = dispute;
  const isOver = bookedAt !== null || status === 'won' || status === 'warning_closed';
  const canBook = refuseBooking(dispute) === null;
  const canSend = refuseEvidence(dispute, Date.now()) === null;
  return (
    <>
      <div className="mt-4 flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
        <div className="min-w-0">
          <h1 className="wrap-anywhere">Dispute of {customerName}</h1>
          <p className="mt-2">
            <DisputeState dispute={dispute} label={describeDisputeStatus(status)} />
          </p>
        </div>
        {canBook && <Button onClick={() => setIsBooking(true)}>Book the loss</Button>}
      </div>
      <DisputeFacts dispute={dispute} />
      <Section
        title="Bookings"
        description={
          isOver
            ? 'What the payment was for.'
            : "What the payment was for. Bookings that haven't been paid out wait until the dispute is won or its loss is booked. Payouts made before stay."
        }
      >
        <DisputedBookings bookings={dispute.bookings} />
      </Section>
      {evidence && <EvidenceForm dispute={dispute} evidence={evidence} canSend={canSend} />}
      {isBooking && <BookOutcomeDialog dispute={dispute} onClose={() => setIsBooking(false)} />}
    </>
  );
}

function DisputeFacts({ dispute }: { dispute: Dispute }) {
  const { amountCents, paymentCents, stripeFeeCents, reason, openedAt, evidenceDueBy, card } = dispute;
  const { bookedAt, bookedBy, bookedCents, borneBy, evidenceRefusal } = dispute;
  const now = Date.now();
  const at = (instant: string) => `${formatDay(instant, now)}, ${formatTime(instant)}`;
  const rows: [string, React.ReactNode][] = [
    ['Payment', <Money key="payment" cents={paymentCents} />],
    ...(card ? [['Card', describeCard(card)] as [string, string]] : []),
    ["Bank's reason", describeDisputeReason(reason)],
    ['Opened', at(openedAt)],
    ...(evidenceDueBy ? [['Evidence due', at(evidenceDueBy)] as [string, string]] : []),
    ...(stripeFeeCents > 0
      ? [["Stripe's fee, borne by the club", <Money key="fee" cents={stripeFeeCents} />] as const]
      : []),
    ...(bookedAt
      ? ([
          [
            'Booked',
            <span key="booked">
              <Money cents={bookedCents ?? 0} /> on the {borneBy === 'coach' ? 'coach' : 'club'},{' '}
              {at(bookedAt)}
              {bookedBy && ` by ${bookedBy}`}
            </span>,
          ],
        ] as const)
      : []),
  ].map(([name, value]) => [name, value] as [string, React.ReactNode]);
  return (
    <>
      <dl className="mt-6 mb-8 flex flex-wrap gap-x-12 gap-y-4 border-y py-5 text-sm tabular-nums">
        <div>
          <dt className="text-muted-foreground">Disputed</dt>
          <dd className="text-xl font-semibold">
            <Money cents={amountCents} />
          </dd>
        </div>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt className="text-muted-foreground">{name}</dt>
            <dd className="mt-1">{value}</dd>
          </div>
        ))}
      </dl>
      {evidenceRefusal && (
        <p className="mb-8 rounded-md bg-destructive-soft px-3 py-2 text-sm wrap-anywhere text-destructive">
          Stripe refused the evidence: {evidenceRefusal}
        </p>
      )}
    </>
  );
}
