import { Link } from '@tanstack/react-router';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { type ReactNode, useEffect } from 'react';
import { adminHomeApi, type AdminHome as Home } from '#domain/admin/home-contract.ts';
import { formatPounds } from '#domain/money.ts';
import { formatDay } from '#domain/time.ts';
import { useApi } from '#web/app/api/api.ts';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { Section } from '#web/ui/card.tsx';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { Loading, Skeleton, SkeletonRows } from '#web/ui/page/skeleton.tsx';
import type { AdminSearch } from './admin-search.ts';

/**
 * An admin's pending tasks, and the platform's last 7 days in figures. A failure is logged and shown as an error.
 * Renders nothing for an admin without the required two-step sign-in.
 */
export function AdminHome() {
  const { profile } = useAuth();
  if (profile?.isTwoStepMissing) return null;
  return <HomeOfAdmin />;
}

function HomeOfAdmin() {
  const query = useApi(adminHomeApi.getAdminHome, {}, { staleTime: 0, refetchInterval: 60_000 });
  const { isError, error } = query;
  useEffect(() => {
    if (isError) console.error('Failed to fetch platform stats', error);
  }, [isError, error]);
  return (
    <div className="mt-8">
      <QueryView
        query={query}
        isPart
        failure="Failed to load the platform's figures"
        skeleton={
          <Loading label="Loading the platform's figures..." className="space-y-8">
            <SkeletonRows count={2} label="" />
            <Skeleton className="h-14 w-full" />
          </Loading>
        }
      >
        {(data) => (
          <>
            <Waiting home={data} />
            <Week week={data.week} />
          </>
        )}
      </QueryView>
    </div>
  );
}

type Item = {
  key: string;
  title: string;
  hint: string;
  link: { to: '/admin/panel'; search: AdminSearch } | { to: '/welfare-concerns' };
};

const inPanel = (search: AdminSearch): Item['link'] => ({ to: '/admin/panel', search });

const count = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`;

/** An admin's pending tasks, most urgent first. */
function listItems(home: Home): Item[] {
  const {
    payoutsDue,
    failedRefunds,
    openDisputes,
    pendingPayruns,
    withheldBookings,
    welfareConcerns,
    waitingDocuments,
    waitingApplications,
    reviewCases,
  } = home;
  const more = payoutsDue.isMore ? 'More than ' : '';
  const items: (Item | false)[] = [
    welfareConcerns > 0 && {
      key: 'concerns',
      title: `${count(welfareConcerns, 'welfare concern is waiting', 'welfare concerns are waiting')} for you`,
      hint: 'Follow your safeguarding policy',
      link: { to: '/welfare-concerns' },
    },
    failedRefunds.refunds > 0 && {
      key: 'refunds',
      title: `${count(failedRefunds.refunds, 'refund needs', 'refunds need')} attention`,
      hint: `${formatPounds(failedRefunds.amountCents)} to customers, refused by Stripe or a bank`,
      link: inPanel({ tab: 'payouts' }),
    },
    openDisputes.disputes > 0 && {
      key: 'disputes',
      title: `${count(openDisputes.disputes, 'dispute needs', 'disputes need')} an answer`,
      hint: openDisputes.dueBy
        ? `Send the evidence by ${formatDay(openDisputes.dueBy, Date.now())}`
        : 'Record who bears the loss',
      link: inPanel({ tab: 'payouts' }),
    },
    withheldBookings > 0 && {
      key: 'held',
      title: count(withheldBookings, 'booking is withheld from payout', 'bookings are withheld from payout'),
      hint: 'Disputed, or refunded in Stripe',
      link: inPanel({ tab: 'payouts' }),
    },
    pendingPayruns.payruns > 0 && {
      key: 'payruns',
      title: count(pendingPayruns.payruns, 'payrun is pending', 'payruns are pending'),
      hint: `${formatPounds(pendingPayruns.amountCents)} to pay at your bank`,
      link: inPanel({ tab: 'payouts' }),
    },
    payoutsDue.lessons > 0 && {
      key: 'due',
      title: `${more}${formatPounds(payoutsDue.amountCents)} ready to pay out`,
      hint: `${more}${count(payoutsDue.lessons, 'booking', 'bookings')} of coaches with bank details`,
      link: inPanel({ tab: 'payouts', ready: true }),
    },
    waitingDocuments > 0 && {
      key: 'documents',
      title: `${count(waitingDocuments, "coach's document is waiting", "coaches' documents are waiting")} for you`,
      hint: 'Coaches may be hidden until you decide',
      link: inPanel({ tab: 'verification' }),
    },
    waitingApplications > 0 && {
      key: 'applications',
      title: `${count(waitingApplications, 'application is waiting', 'applications are waiting')} for a decision`,
      hint: 'People who want to become coaches',
      link: inPanel({ tab: 'applications' }),
    },
    reviewCases.open > 0 && {
      key: 'reviews',
      title: `${count(reviewCases.open, 'case about a review is waiting', 'cases about reviews are waiting')} for a decision`,
      hint: `${reviewCases.overdue > 0 ? `${reviewCases.overdue} overdue: our` : 'Our'} rules promise a decision within five working days`,
      link: inPanel({ tab: 'reviews' }),
    },
  ];
  return items.filter((item) => item !== false);
}

function Waiting({ home }: { home: Home }) {
  const items = listItems(home);
  return (
    <Section title="Waiting for you">
      {items.length === 0 ? (
        <p className="text-muted-foreground">Nothing to do right now.</p>
      ) : (
        <ul aria-label="Waiting for you" className="divide-y border-t">
          {items.map(({ key, title, hint, link }) => (
            <li key={key} className="relative flex items-center gap-3 py-3 hover:bg-muted">
              <span className="flex min-w-0 grow flex-wrap items-baseline justify-between gap-x-6 wrap-anywhere">
                <Link {...link} className="font-medium after:absolute after:inset-0 hover:underline">
                  {title}
                </Link>
                <span className="text-sm text-muted-foreground">{hint}</span>
              </span>
              <ChevronRight aria-hidden className="size-4 shrink-0 text-muted-foreground" />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function Week({ week }: { week: Home['week'] }) {
  return (
    <Section title="The platform, last 7 days">
      <dl className="grid grid-cols-2 gap-y-5 sm:grid-cols-4">
        <Figure label="Bookings" value={week.bookings} />
        <Figure label="Revenue" value={formatPounds(week.revenueCents)} />
        <Figure label="Fees" value={formatPounds(week.feeCents)} />
        <Figure label="New users" value={week.newUsers} />
      </dl>
    </Section>
  );
}

function Figure({ label, value }: { label: string; value: ReactNode }) {
  return (
    <div className="flex flex-col-reverse justify-end gap-1">
      <dt className="text-sm text-muted-foreground">{label}</dt>
      <dd className="text-2xl font-semibold tabular-nums">{value}</dd>
    </div>
  );
}
