import { Link, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Payrun } from '#domain/payouts/contract.ts';
import { payrunApi } from '#domain/payouts/payrun-contract.ts';
import { refusePayrunStep } from '#domain/payouts/payruns.ts';
import { shortReference } from '#domain/reference.ts';
import { formatDay, formatTime } from '#domain/time.ts';
import { useApi } from '#web/app/api/api.ts';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { AreaGate } from '#web/app/auth/gates.tsx';
import { PersonalPage } from '#web/app/layout/area-layout.tsx';
import { Button } from '#web/ui/button.tsx';
import { Section } from '#web/ui/card.tsx';
import { Money } from '#web/ui/money.tsx';
import { BackLink } from '#web/ui/page/back-link.tsx';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { RecordFacts, RecordHeading, RecordSkeleton } from '#web/ui/page/record-page.tsx';
import { CancelPayrunDialog } from './cancel-payrun-dialog.tsx';
import { MarkPaidDialog } from './mark-paid-dialog.tsx';
import { PayrunActions } from './payrun-actions.tsx';
import { PayrunLines } from './payrun-lines.tsx';
import { PayrunPayments } from './payrun-payments.tsx';
import { PayrunStatus } from './payrun-status.tsx';
import { PayrunWarnings } from './payrun-warnings.tsx';

/** One payrun: who created it and marked it as paid, its payments by coach, and its bookings. */
export default function PayrunScreen() {
  const { payrunId = '' } = useParams({ strict: false }) as { payrunId?: string };
  const found = useApi(payrunApi.getPayrun, { payrunId });
  return (
    <AreaGate area="admin">
      <PersonalPage>
        <BackLink to="/admin/panel" search={{ tab: 'payouts' }}>
          Payouts
        </BackLink>
        <QueryView
          query={found}
          failure="Failed to load the payrun"
          skeleton={<RecordSkeleton label="Loading the payrun..." />}
          missing={<MissingPayrun />}
        >
          {({ payrun, payments }) => (
            <>
              <PayrunHead payrun={payrun} />
              <Section
                title="Payments"
                description="What each coach is paid, into the account they had when the payrun was created."
              >
                <PayrunPayments payrun={payrun} payments={payments} />
              </Section>
              <PayrunLines payrunId={payrunId} />
            </>
          )}
        </QueryView>
      </PersonalPage>
    </AreaGate>
  );
}

function MissingPayrun() {
  return (
    <EmptyState
      titleAs="h1"
      title="Payrun not found"
      action={
        <Button asChild variant="secondary">
          <Link to="/admin/panel" search={{ tab: 'payouts' }}>
            All payruns
          </Link>
        </Button>
      }
    >
      There is no payrun at this address.
    </EmptyState>
  );
}

function PayrunHead({ payrun }: { payrun: Payrun }) {
  const { user } = useAuth();
  const [dialog, setDialog] = useState<'pay' | 'cancel' | null>(null);
  const { payrunId, needsSecondAdmin, createdBy } = payrun;
  const needsAnother =
    refusePayrunStep({ needsSecondAdmin, createdBy: createdBy.userId }, user?.id ?? '') !== null;
  const close = () => setDialog(null);
  return (
    <>
      <RecordHeading
        title={`Payrun ${shortReference(payrunId)}`}
        status={<PayrunStatus payrun={payrun} needsAnother={needsAnother} />}
      >
        <span className="flex">
          <PayrunActions
            payrun={payrun}
            needsAnother={needsAnother}
            onMarkPaid={() => setDialog('pay')}
            onCancel={() => setDialog('cancel')}
          />
        </span>
      </RecordHeading>
      <PayrunWarnings payrun={payrun} />
      <PayrunFacts payrun={payrun} />
      <MarkPaidDialog payrun={payrun} isOpen={dialog === 'pay'} onClose={close} />
      <CancelPayrunDialog payrun={payrun} isOpen={dialog === 'cancel'} onClose={close} />
    </>
  );
}

function PayrunFacts({ payrun }: { payrun: Payrun }) {
  const now = Date.now();
  const at = (instant: string) => `${formatDay(instant, now)}, ${formatTime(instant)}`;
  const by = (name: string | null) => (name ? ` by ${name}` : '');
  const { createdAt, createdBy, exportedAt, paidAt, paidBy, cancelledAt, cancelledBy, returnedCents } =
    payrun;
  const facts: [string, string | null][] = [
    ['Reference', payrun.paymentReference],
    ['Created', `${at(createdAt)}${by(createdBy.fullName)}`],
    ['File', exportedAt ? `First downloaded ${at(exportedAt)}` : 'Never downloaded'],
    ['Paid', paidAt && `${at(paidAt)}${by(paidBy)}`],
    ['Cancelled', cancelledAt && `${at(cancelledAt)}${by(cancelledBy)}`],
  ];
  const amounts: [string, ReactNode][] = [
    ['Total', <Money key="total" cents={payrun.totalAmountCents} />],
    [
      'Returned',
      returnedCents > 0 && <Money key="returned" cents={returnedCents} className="text-warning" />,
    ],
  ];
  return <RecordFacts amounts={amounts} facts={facts} />;
}
