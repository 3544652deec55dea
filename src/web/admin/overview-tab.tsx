import { adminApi } from '#domain/admin/contract.ts';
import type { OutputOf } from '#domain/endpoint.ts';
import { formatPounds } from '#domain/money.ts';
import { formatDay } from '#domain/time.ts';
import { useApi } from '#web/app/api/api.ts';
import { DayBars } from '#web/ui/charts/day-bars.tsx';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { Loading, Skeleton } from '#web/ui/page/skeleton.tsx';
import { Table, Td, Th } from '#web/ui/table.tsx';

type Day = OutputOf<typeof adminApi.getOverview>['days'][number];

const figures = [
  { name: 'bookings', label: 'Bookings', hint: 'made', show: String },
  { name: 'revenueCents', label: 'Revenue', hint: 'paid, less refunds', show: formatPounds },
  { name: 'feeCents', label: 'Fees', hint: 'kept by the platform', show: formatPounds },
  { name: 'newUsers', label: 'New users', hint: 'signed up', show: String },
  { name: 'lessons', label: 'Lessons', hint: 'took place', show: String },
] as const satisfies { name: keyof Day; label: string; hint: string; show: (value: number) => string }[];

/** Formats a London date. Noon UTC falls on the same calendar date in London all year round. */
const showDate = (date: string) => formatDay(`${date}T12:00:00Z`, Date.now());

/** The platform's last 30 days in figures and bar charts, and the amount that it currently owes to coaches. */
export function OverviewTab() {
  const overview = useApi(adminApi.getOverview, {}, { refetchInterval: 60_000 });
  return (
    <QueryView query={overview} failure="Failed to load the overview" skeleton={<OverviewSkeleton />}>
      {(data) => <Overview {...data} />}
    </QueryView>
  );
}

function Overview({ days, payoutsDueCents }: OutputOf<typeof adminApi.getOverview>) {
  const [first, last] = [showDate(days[0]!.date), showDate(days.at(-1)!.date)];
  return (
    <section className="pb-8">
      <h2>Last 30 days</h2>
      <div className="mt-4 grid gap-x-10 gap-y-8 sm:grid-cols-2 lg:grid-cols-3">
        {figures.map(({ name, label, hint, show }) => {
          const total = days.reduce((sum, day) => sum + day[name], 0);
          const best = days.reduce((most, day) => (day[name] > most[name] ? day : most));
          return (
            <figure key={name}>
              <Figure label={label} value={show(total)} hint={hint} />
              <DayBars
                className="mt-3"
                label={
                  total === 0
                    ? `${label} by day: none from ${first} to ${last}`
                    : `${label} by day from ${first} to ${last}: highest on ${showDate(best.date)}, at ${show(best[name])}`
                }
                days={days.map((day) => ({
                  date: day.date,
                  value: day[name],
                  title: `${showDate(day.date)}: ${show(day[name])}`,
                }))}
              />
              <p aria-hidden className="mt-1 flex justify-between text-xs text-muted-foreground tabular-nums">
                <span>{first}</span>
                <span>{last}</span>
              </p>
            </figure>
          );
        })}
        <div>
          <Figure label="Payouts due" value={formatPounds(payoutsDueCents)} hint="now" />
          <p className="mt-3 text-sm text-muted-foreground">
            The amount owed to coaches for past lessons that aren't in a payrun yet.
          </p>
        </div>
      </div>
      <details className="mt-6">
        <summary className="flex min-h-11 w-fit cursor-pointer items-center text-sm font-medium text-primary underline decoration-1 underline-offset-4">
          Show the figures as a table
        </summary>
        <DayTable days={days} />
      </details>
    </section>
  );
}

function Figure({ label, value, hint }: { label: string; value: string; hint: string }) {
  return (
    <dl>
      <dt className="text-sm text-muted-foreground">{label}</dt>
      <dd className="flex flex-wrap items-baseline gap-x-2">
        <span className="text-2xl font-semibold tracking-tight tabular-nums">{value}</span>
        <span className="text-xs text-muted-foreground">{hint}</span>
      </dd>
    </dl>
  );
}

function DayTable({ days }: { days: Day[] }) {
  return (
    <Table label="Figures by day">
      <thead>
        <tr>
          <Th>Day</Th>
          {figures.map(({ name, label }) => (
            <Th key={name} isNumeric>
              {label}
            </Th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days.toReversed().map((day) => (
          <tr key={day.date}>
            <Td className="py-1.5 whitespace-nowrap">{showDate(day.date)}</Td>
            {figures.map(({ name, show }) => (
              <Td key={name} isNumeric className="py-1.5">
                {show(day[name])}
              </Td>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function OverviewSkeleton() {
  return (
    <Loading
      label="Loading the overview..."
      className="grid gap-x-10 gap-y-8 pb-8 sm:grid-cols-2 lg:grid-cols-3"
    >
      {[...figures.map(({ name }) => name), 'due'].map((key) => (
        <div key={key} className="space-y-3">
          <Skeleton className="w-24" />
          <Skeleton className="h-7 w-32" />
          <Skeleton className="h-16 w-full" />
        </div>
      ))}
    </Loading>
  );
}
