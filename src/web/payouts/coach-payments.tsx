import { Link } from '@tanstack/react-router';
import { type CoachPayment, earningsApi, type PaidLesson } from '#domain/payouts/earnings-contract.ts';
import { formatDay, formatTime } from '#domain/time.ts';
import { usePages } from '#web/app/api/use-pages.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Money } from '#web/ui/money.tsx';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { PagedList } from '#web/ui/page/paged-list.tsx';
import { SkeletonRows } from '#web/ui/page/skeleton.tsx';
import { OwnLessonLink } from './own-lesson-link.tsx';

/** The coach's payments, newest first, a page at a time; each payment expands to its lessons. */
export function CoachPayments() {
  const found = usePages(earningsApi.listPayments, {}, (page) => page.payments);
  return (
    <PagedList
      found={found}
      skeleton={<SkeletonRows count={3} label="Loading payments..." />}
      failure="Failed to load payments"
      empty={
        <EmptyState title="No payments yet" className="py-6">
          Payments will appear here once we've sent them to your bank account.
        </EmptyState>
      }
      more="Show more payments"
    >
      {(payments) => (
        <ul aria-label="Recent payments" className="divide-y border-y">
          {payments.map((payment) => (
            <Payment key={payment.payrunId} payment={payment} />
          ))}
        </ul>
      )}
    </PagedList>
  );
}

function Payment({ payment }: { payment: CoachPayment }) {
  const lessonCount = payment.lessons.filter(({ kind }) => kind === 'lesson').length;
  return (
    <li>
      <details>
        <summary className="flex min-h-14 cursor-pointer flex-wrap items-center gap-x-4 gap-y-1 py-3 [&::-webkit-details-marker]:hidden">
          <span
            aria-hidden
            className="text-muted-foreground transition-transform [details[open]_&]:rotate-90"
          >
            ›
          </span>
          <span className="font-medium tabular-nums">{formatDay(payment.paidAt, Date.now())}</span>
          <span className="text-sm text-muted-foreground">{payment.paymentReference}</span>
          <span className="text-sm text-muted-foreground tabular-nums">
            {lessonCount === 1 ? '1 lesson' : `${lessonCount} lessons`}
          </span>
          {payment.returned && <Badge tone="warning">Returned by the bank</Badge>}
          <Money
            cents={payment.amountCents}
            className={`ml-auto font-semibold ${payment.returned ? 'text-muted-foreground line-through' : ''}`}
          />
        </summary>
        {payment.returned && (
          <p className="pb-3 pl-6 text-sm text-warning">
            The bank returned this payment on {formatDay(payment.returned.at, Date.now())}: “
            {payment.returned.reason}
            ”. We'll pay for its lessons again once your bank details are right.
          </p>
        )}
        <PaidLessons lessons={payment.lessons} />
        <p className="pb-4 pl-6 text-sm">
          <Link
            to="/coach/earnings/$payrunId"
            params={{ payrunId: payment.payrunId }}
            className="inline-flex items-center font-medium text-primary hover:underline touch:min-h-11"
          >
            Statement for this payment
          </Link>
        </p>
      </details>
    </li>
  );
}

function PaidLessons({ lessons }: { lessons: PaidLesson[] }) {
  return (
    <ul className="space-y-2 pb-4 pl-6 text-sm">
      {lessons.map(({ bookingId, slotId, kind, title, startTime, customerName, amountCents }) => (
        <li key={`${bookingId} ${kind}`} className="flex items-baseline justify-between gap-4">
          <span className="min-w-0">
            <OwnLessonLink lesson={{ slotId, title }} />{' '}
            <span className="text-muted-foreground tabular-nums">
              {formatDay(startTime, Date.now())}, {formatTime(startTime)} · {customerName}
              {kind === 'carried_forward' && ' · deducted after a refund'}
            </span>
          </span>
          <Money cents={amountCents} />
        </li>
      ))}
    </ul>
  );
}
