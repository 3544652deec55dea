import { Link, useParams } from '@tanstack/react-router';
import Printer from 'lucide-react/icons/printer';
import {
  type PaymentStatement,
  type StatementLine,
  statementApi,
} from '#domain/payouts/statement-contract.ts';
import { formatDay, formatTime } from '#domain/time.ts';
import { useApi } from '#web/app/api/api.ts';
import { ExportButton } from '#web/app/api/csv-download.tsx';
import { Button } from '#web/ui/button.tsx';
import { Money } from '#web/ui/money.tsx';
import { BackLink } from '#web/ui/page/back-link.tsx';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { RecordFacts, RecordSkeleton } from '#web/ui/page/record-page.tsx';
import { NoValue, Table, Td, Th } from '#web/ui/table.tsx';
import { OwnLessonLink } from './own-lesson-link.tsx';
import { StatementSheet } from './statement-sheet.tsx';

/** The statement for one payment to the coach, which can be printed, saved as PDF or exported. */
export default function StatementScreen() {
  const { payrunId = '' } = useParams({ strict: false }) as { payrunId?: string };
  const found = useApi(statementApi.getStatement, { payrunId });
  return (
    <>
      <BackLink to="/coach/earnings">Earnings</BackLink>
      <QueryView
        query={found}
        failure="Failed to load the statement"
        skeleton={<RecordSkeleton label="Loading the statement..." />}
        missing={
          <EmptyState
            titleAs="h1"
            title="Payment not found"
            action={
              <Button asChild variant="secondary">
                <Link to="/coach/earnings">Earnings</Link>
              </Button>
            }
          >
            This payment doesn't exist or is for another coach.
          </EmptyState>
        }
      >
        {({ statement }) => <Statement statement={statement} />}
      </QueryView>
    </>
  );
}

function Statement({ statement }: { statement: PaymentStatement }) {
  const { payrunId, paidAt, lines, returned, lessonsCents, deductedCents, amountCents } = statement;
  const now = Date.now();
  return (
    <>
      <div className="mt-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h1>Payment of {formatDay(paidAt, now)}</h1>
        <span className="flex flex-wrap gap-2">
          <ExportButton endpoint={statementApi.exportStatement} input={{ payrunId }} />
          <Button variant="secondary" size="sm" onClick={() => window.print()}>
            <Printer aria-hidden />
            Print or save as PDF
          </Button>
        </span>
      </div>
      {returned && (
        <p className="mt-4 rounded-lg bg-warning-soft px-4 py-3 text-sm text-warning">
          The bank returned this payment: “{returned.reason}” ({formatDay(returned.at, now)}).{' '}
          <Link to="/coach/bank-details" className="font-medium underline">
            Check your bank details
          </Link>
          . We'll pay for its lessons again with the next payout.
        </p>
      )}
      <RecordFacts
        amounts={[
          ['Payment', <Money key="payment" cents={amountCents} className={returned ? 'line-through' : ''} />],
        ]}
        facts={describePayment(statement)}
      />
      <Table label="Lessons" isStacked>
        <thead>
          <tr>
            <Th>Lesson</Th>
            <Th>Customer</Th>
            <Th isNumeric>Price</Th>
            <Th isNumeric>Fee and refunds</Th>
            <Th isNumeric>Paid to you</Th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <LineRow key={`${line.bookingId} ${line.kind}`} line={line} />
          ))}
        </tbody>
      </Table>
      <dl className="mt-4 ml-auto w-full max-w-xs text-sm">
        <Sum label="Lessons" cents={lessonsCents} />
        {deductedCents > 0 && <Sum label="Deducted after refunds" cents={-deductedCents} />}
        <Sum label="Payment" cents={amountCents} isTotal />
      </dl>
      <StatementSheet statement={statement} facts={describePayment(statement)} />
    </>
  );
}

function describePayment({
  paymentReference,
  coachName,
  accountName,
  maskedAccountNumber,
}: PaymentStatement): [string, string][] {
  return [
    ['Paid to', coachName],
    ['Account', `${accountName}, ${maskedAccountNumber}`],
    ['Reference', paymentReference],
  ];
}

function LineRow({ line }: { line: StatementLine }) {
  const { startTime, customerName, kind, priceCents, keptCents, amountCents } = line;
  return (
    <tr>
      <Td label="Lesson">
        <span className="max-md:text-right">
          <OwnLessonLink lesson={line} className="inline-flex items-center touch:min-h-11" />
          <span className="block text-xs text-muted-foreground">
            {formatDay(startTime, Date.now())}, {formatTime(startTime)}
            {kind === 'carried_forward' && ' · deducted after a refund'}
          </span>
        </span>
      </Td>
      <Td label="Customer" className="wrap-anywhere">
        {customerName}
      </Td>
      <Td label="Price" isNumeric>
        <AmountOrNone cents={priceCents} />
      </Td>
      <Td label="Fee and refunds" isNumeric>
        <AmountOrNone cents={keptCents === null ? null : -keptCents || 0} />
      </Td>
      <Td label="Paid to you" isNumeric>
        <Money cents={amountCents} className="font-medium" />
      </Td>
    </tr>
  );
}

function AmountOrNone({ cents }: { cents: number | null }) {
  return cents === null ? <NoValue /> : <Money cents={cents} />;
}

function Sum({ label, cents, isTotal = false }: { label: string; cents: number; isTotal?: boolean }) {
  return (
    <div className={`flex justify-between gap-4 py-2 ${isTotal ? 'border-t font-semibold' : ''}`}>
      <dt>{label}</dt>
      <dd>
        <Money cents={cents} />
      </dd>
    </div>
  );
}
