import { type EarningsLine, earningsApi } from '#domain/payouts/earnings-contract.ts';
import { formatDay, formatTime } from '#domain/time.ts';
import { usePages } from '#web/app/api/use-pages.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Money } from '#web/ui/money.tsx';
import { PagedList } from '#web/ui/page/paged-list.tsx';
import { SkeletonRows } from '#web/ui/page/skeleton.tsx';
import { NoValue, Table, Td, Th } from '#web/ui/table.tsx';
import { OwnLessonLink } from './own-lesson-link.tsx';

const kinds = {
  booked: { label: 'Booked', tone: 'primary' },
  refunded: { label: 'Refunded', tone: 'warning' },
  paidOut: { label: 'Paid out', tone: 'success' },
  deducted: { label: 'Deducted', tone: 'neutral' },
  returned: { label: 'Returned by the bank', tone: 'warning' },
} as const;

/**
 * The coach's ledger, newest first, a page at a time. A line's balance is its net amount plus the balance
 * before it.
 */
export function EarningsLines() {
  const found = usePages(earningsApi.listEarnings, {}, (page) => page.lines);
  return (
    <PagedList
      found={found}
      skeleton={<SkeletonRows count={5} label="Loading your statement..." />}
      failure="Failed to load your statement"
      empty={null}
      more="Show more lines"
    >
      {(lines) => (
        <Table label="Statement" isStacked>
          <thead>
            <tr>
              <Th>Date</Th>
              <Th>Lesson</Th>
              <Th isNumeric>Gross</Th>
              <Th isNumeric>Fee</Th>
              <Th isNumeric>Net</Th>
              <Th isNumeric>To come</Th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <LineRow key={line.lineId} line={line} />
            ))}
          </tbody>
        </Table>
      )}
    </PagedList>
  );
}

// On a phone the four figures of a line are side by side, each under its name.
const figure = 'align-top max-md:flex-col max-md:items-start max-md:justify-start max-md:gap-0';

function LineRow({ line }: { line: EarningsLine }) {
  const now = Date.now();
  const { label, tone } = kinds[line.kind];
  const isPayment = line.kind === 'booked' || line.kind === 'refunded';
  return (
    <tr className="max-md:grid! max-md:grid-cols-4">
      <Td className="align-top whitespace-nowrap max-md:col-span-full">
        {formatDay(line.at, now)}
        <Badge tone={tone} className="md:mt-1 md:flex">
          {label}
        </Badge>
      </Td>
      <Td className="align-top max-md:col-span-full max-md:block">
        <OwnLessonLink lesson={line} className="inline-flex items-center touch:min-h-11" />
        <span className="block text-muted-foreground">
          {formatDay(line.startTime, now)}, {formatTime(line.startTime)} · {line.customerName}
        </span>
      </Td>
      <Td isNumeric label="Gross" className={figure}>
        {isPayment ? <Money cents={line.grossCents} /> : <NoValue />}
      </Td>
      <Td isNumeric label="Fee" className={figure}>
        {isPayment ? <Money cents={-line.feeCents} /> : <NoValue />}
      </Td>
      <Td isNumeric label="Net" className={figure}>
        <Money cents={line.netCents} className="font-semibold" />
      </Td>
      <Td isNumeric label="To come" className={figure}>
        <Money cents={line.balanceCents} />
      </Td>
    </tr>
  );
}
