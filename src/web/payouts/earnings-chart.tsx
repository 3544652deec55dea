import { formatPounds } from '#domain/money.ts';
import type { Earnings } from '#domain/payouts/earnings-contract.ts';
import { BarChart } from '#web/ui/charts/bar-chart.tsx';
import { Money } from '#web/ui/money.tsx';
import { Table, Td, Th } from '#web/ui/table.tsx';

const nameOf = (month: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options }).format(new Date(`${month}-15T12:00:00Z`));
const longName = (month: string) => nameOf(month, { month: 'long', year: 'numeric' });

/** Twelve months of net earnings as columns, and the same figures as a collapsible table. */
export function EarningsChart({ months }: { months: Earnings['months'] }) {
  return (
    <>
      <BarChart
        label="Your earnings in each of the last 12 months; the table below has the figures."
        smallestTop={1000}
        formatTick={formatPounds}
        bars={months.map(({ month, netCents }) => ({
          key: month,
          label: nameOf(month, { month: 'short' }),
          tiny: nameOf(month, { month: 'narrow' }),
          name: `${longName(month)}: ${formatPounds(netCents)}`,
          value: netCents,
        }))}
      />
      <details className="mt-4">
        <summary className="flex min-h-11 w-fit cursor-pointer items-center gap-2 text-sm font-medium [&::-webkit-details-marker]:hidden">
          <span
            aria-hidden
            className="text-muted-foreground transition-transform [details[open]_&]:rotate-90"
          >
            ›
          </span>
          Show as a table
        </summary>
        <Table label="Earnings by month">
          <thead>
            <tr>
              <Th>Month</Th>
              <Th isNumeric>Lessons</Th>
              <Th isNumeric>Earned</Th>
            </tr>
          </thead>
          <tbody>
            {months.toReversed().map(({ month, lessons, netCents }) => (
              <tr key={month}>
                <Td>{longName(month)}</Td>
                <Td isNumeric>{lessons}</Td>
                <Td isNumeric>
                  <Money cents={netCents} />
                </Td>
              </tr>
            ))}
          </tbody>
        </Table>
      </details>
    </>
  );
}
