import { Link, useParams } from '@tanstack/react-router';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import { useState } from 'react';
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
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { Loading, Skeleton, SkeletonRows } from '#web/ui/page/skeleton.tsx';
import { CancelPayrunDialog } from './cancel-payrun-dialog.tsx';
import { MarkPaidDialog } from './mark-paid-dialog.tsx';
import { PayrunActions } from './payrun-actions.tsx';
import { PayrunLines } from './payrun-lines.tsx';
import { PayrunPayments } from './payrun-payments.tsx';
import { PayrunStatus } from './payrun-status.tsx';
import { PayrunWarnings } from './payrun-warnings.tsx';

/** One payrun: who made and paid it, its payments by coach, and its bookings. */
export function PayrunScreen() {
  const { payrunId = '' } = useParams({ strict: false }) as { payrunId?: string };
  const found = useApi(payrunApi.getPayrun, { payrunId });
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
          failure="Failed to load the payrun"
          skeleton={
            <Loading label="Loading the payrun..." className="mt-6 space-y-6">
              <Skeleton className="h-8 w-64" />
              <Skeleton className="h-24 w-full" />
              <SkeletonRows label="" />
            </Loading>
          }
          missing={<MissingPayrun />}
        >
          {({ payrun, payments }) => (
            <>
              <PayrunHead payrun={payrun} />
              <Section
                title="Payments"
                description="What each coach gets, into the account they had when the payrun was created."
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
      <div className="mt-4 flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
        <div>
          <h1>Payrun {shortReference(payrunId)}</h1>
          <p className="mt-2">
            <PayrunStatus payrun={payrun} needsAnother={needsAnother} />
          </p>
        </div>
        <span className="flex">
          <PayrunActions
            payrun={payrun}
            needsAnother={needsAnother}
            onMarkPaid={() => setDialog('pay')}
            onCancel={() => setDialog('cancel')}
          />
        </span>
      </div>
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
  const rows: [string, string | null][] = [
    ['Reference', payrun.paymentReference],
    ['Created', `${at(createdAt)}${by(createdBy.fullName)}`],
    ['File', exportedAt ? `First downloaded ${at(exportedAt)}` : 'Never downloaded'],
    ['Paid', paidAt && `${at(paidAt)}${by(paidBy)}`],
    ['Cancelled', cancelledAt && `${at(cancelledAt)}${by(cancelledBy)}`],
  ];
  return (
    <dl className="mt-6 mb-8 flex flex-wrap gap-x-12 gap-y-4 border-y py-5 text-sm tabular-nums">
      <div>
        <dt className="text-muted-foreground">Total</dt>
        <dd className="text-xl font-semibold">
          <Money cents={payrun.totalAmountCents} />
        </dd>
      </div>
      {returnedCents > 0 && (
        <div>
          <dt className="text-muted-foreground">Returned</dt>
          <dd className="text-xl font-semibold text-warning">
            <Money cents={returnedCents} />
          </dd>
        </div>
      )}
      {rows.map(
        ([name, value]) =>
          value && (
            <div key={name}>
              <dt className="text-muted-foreground">{name}</dt>
              <dd className="mt-1">{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
