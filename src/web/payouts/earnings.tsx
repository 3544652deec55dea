import { Link } from '@tanstack/react-router';
import Landmark from 'lucide-react/icons/landmark';
import type { ReactNode } from 'react';
import { formatPounds } from '#domain/money.ts';
import { type Earnings, earningsApi } from '#domain/payouts/earnings-contract.ts';
import { useApi } from '#web/app/api/api.ts';
import { ExportButton } from '#web/app/api/csv-download.tsx';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { Button } from '#web/ui/button.tsx';
import { Section } from '#web/ui/card.tsx';
import { Money } from '#web/ui/money.tsx';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { Loading, Skeleton, SkeletonRows } from '#web/ui/page/skeleton.tsx';
import { CoachPayments } from './coach-payments.tsx';
import { EarningsChart } from './earnings-chart.tsx';
import { EarningsLines } from './earnings-lines.tsx';
import { WaitingLessons } from './waiting-lessons.tsx';

/** The coach's earnings and upcoming payout, summed from the ledger. */
export default function EarningsScreen() {
  const { isCoach } = useAuth();
  const query = useApi(earningsApi.getEarnings, {});
  return (
    <>
      <div className="mb-6 flex flex-wrap items-center justify-between gap-3">
        <h1>Earnings</h1>
        <Button asChild variant="secondary">
          <Link to="/coach/bank-details">
            <Landmark aria-hidden />
            Bank details
          </Link>
        </Button>
      </div>
      <QueryView
        query={query}
        failure="Failed to load earnings"
        skeleton={
          <Loading label="Loading earnings..." className="space-y-8">
            <div className="space-y-3">
              <Skeleton className="w-20" />
              <Skeleton className="h-10 w-48" />
            </div>
            <Skeleton className="h-20 w-full" />
            <Skeleton className="h-56 w-full" />
            <SkeletonRows count={3} label="" />
          </Loading>
        }
      >
        {(earnings) => (
          <>
            {!earnings.hasBankDetails && <MissingBankDetails />}
            {earnings.grossCents === 0 && earnings.toComeCents === 0 ? (
              <EmptyState
                title={isCoach ? 'No earnings yet' : 'No earnings'}
                action={
                  isCoach && (
                    <Button asChild>
                      <Link to="/coach/calendar">Go to your calendar</Link>
                    </Button>
                  )
                }
              >
                {isCoach
                  ? 'Your earnings will appear here once someone books one of your lessons.'
                  : 'There are no earnings to pay out.'}
              </EmptyState>
            ) : (
              <EarningsFigures earnings={earnings} />
            )}
          </>
        )}
      </QueryView>
    </>
  );
}

function MissingBankDetails() {
  return (
    <div className="mb-8 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-lg bg-warning-soft px-4 py-3">
      <p className="text-sm text-warning">
        <strong className="font-semibold">We don't know where to pay you yet.</strong> Add your bank details,
        and your earnings will be part of the next payout.
      </p>
      <Button asChild variant="secondary" size="sm">
        <Link to="/coach/bank-details">Add bank details</Link>
      </Button>
    </div>
  );
}

function EarningsFigures({ earnings }: { earnings: Earnings }) {
  const thisMonth = earnings.months.at(-1)!;
  return (
    <>
      <div className="grid gap-x-12 gap-y-6 lg:grid-cols-[1fr_auto] lg:items-end">
        <div>
          <h2 className="text-sm font-medium text-muted-foreground">To come</h2>
          <p className="mt-1 text-3xl font-semibold tracking-tight">
            <Money cents={earnings.toComeCents} />
          </p>
          <p className="mt-2 max-w-[48ch] text-sm text-muted-foreground">{describeToCome(earnings)}</p>
        </div>
        <dl className="grid grid-cols-3 divide-x border-y py-4 lg:border-y-0 lg:py-0">
          <Figure label="Total" value={<Money cents={earnings.netCents} />} />
          <Figure label="This month" value={<Money cents={thisMonth.netCents} />} />
          <Figure label="Lessons this month" value={thisMonth.lessons} />
        </dl>
      </div>
      {earnings.waitingCount > 0 && (
        <div className="mt-10">
          <WaitingLessons />
        </div>
      )}
      <div className="mt-10 grid gap-x-12 lg:grid-cols-[1fr_20rem]">
        <Section
          title="Last 12 months"
          description="By month of the lesson, after refunds and the platform's fee."
        >
          <EarningsChart months={earnings.months} />
        </Section>
        <Totals earnings={earnings} />
      </div>
      <Section
        title="Recent Payments"
        actions={<ExportButton endpoint={earningsApi.exportPayments} input={{}} />}
        className="first-of-type:border-t first-of-type:pt-8"
      >
        <CoachPayments />
      </Section>
      <Section title="Statement" description="Every booking, refund and payment, with the balance after it.">
        <EarningsLines />
      </Section>
    </>
  );
}

function describeToCome({ toComeCents, readyCents, waitingCents, hasBankDetails }: Earnings): string {
  if (toComeCents < 0) {
    return "Refunds are higher than your upcoming earnings. We'll deduct the difference from your next payout.";
  }
  const [nextCents, aheadCents] = [readyCents - waitingCents, toComeCents - readyCents];
  const when = hasBankDetails ? 'goes out with the next payout' : 'is waiting for your bank details';
  const sentences = [
    nextCents > 0 && `${formatPounds(nextCents)} is from lessons that are over and ${when}.`,
    waitingCents > 0 &&
      `${formatPounds(waitingCents)} is from lessons that are over and waits until you mark attendance or write a note, as listed below.`,
    aheadCents > 0 && `${formatPounds(aheadCents)} follows once your upcoming lessons are over.`,
  ];
  return sentences.filter(Boolean).join(' ') || "Your share of each lesson that's booked will appear here.";
}

function Figure({ label, value }: { label: string; value: ReactNode }) {
  return (
    <div className="flex flex-col justify-between gap-1 px-3 first:pl-0 last:pr-0 md:px-6">
      <dt className="text-xs text-muted-foreground">{label}</dt>
      <dd className="text-lg font-semibold tabular-nums sm:text-xl">{value}</dd>
    </div>
  );
}

function Totals({ earnings }: { earnings: Earnings }) {
  const rows = [
    { label: 'Gross', hint: 'paid by customers', cents: earnings.grossCents },
    { label: 'Refunds', cents: -earnings.refundedCents },
    { label: 'Platform fee', cents: -earnings.feeCents },
    { label: 'Net', cents: earnings.netCents, isSum: true },
    { label: 'Paid out', cents: -earnings.paidOutCents },
    { label: 'To come', cents: earnings.toComeCents, isSum: true },
  ];
  return (
    <section className="max-lg:border-t max-lg:py-8">
      <h2>How it adds up</h2>
      <dl className="mt-4 text-sm">
        {rows.map(({ label, hint, cents, isSum }) => (
          <div
            key={label}
            className={`flex justify-between gap-4 py-2 ${isSum ? 'mb-2 border-t font-semibold' : ''}`}
          >
            <dt>
              {label}
              {hint && <span className="text-muted-foreground"> {hint}</span>}
            </dt>
            <dd>
              <Money cents={cents === 0 ? 0 : cents} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
