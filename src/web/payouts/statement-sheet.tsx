import { formatPounds } from '#domain/money.ts';
import type { PaymentStatement } from '#domain/payouts/statement-contract.ts';
import { shortReference } from '#domain/reference.ts';
import { formatDay, formatTime } from '#domain/time.ts';
import { useProduct } from '#web/app/api/product.ts';

type StatementSheetProps = { statement: PaymentStatement; facts: [label: string, value: string][] };

const cell = 'border-b border-black/30 py-1 pr-3 align-top last:pr-0';
const figure = `${cell} text-right whitespace-nowrap`;

/** The printed statement: black on white in either theme, with the table's head on every page. */
export function StatementSheet({ statement, facts }: StatementSheetProps) {
  const { brand } = useProduct();
  const { payrunId, paidAt, returned, lines, lessonsCents, deductedCents, amountCents } = statement;
  // The year is always printed, because a statement is kept for years.
  const dayOf = (instant: string) => formatDay(instant, 0);
  const sums: [string, number][] = [
    ['Lessons', lessonsCents],
    ...(deductedCents > 0 ? [['Deducted after refunds', -deductedCents] as [string, number]] : []),
    ['Payment', amountCents],
  ];
  return (
    <div className="print-alone hidden text-[10pt] leading-snug text-black print:block">
      <p className="text-[14pt] font-semibold">
        {brand}: payment of {dayOf(paidAt)}
      </p>
      <p className="mt-1">
        {[...facts, ['Statement', shortReference(payrunId)]]
          .map(([name, value]) => `${name}: ${value}`)
          .join(' · ')}
      </p>
      {returned && (
        <p className="mt-1 font-semibold">
          The bank returned this payment on {dayOf(returned.at)}: “{returned.reason}”.
        </p>
      )}
      <table className="mt-4 w-full border-collapse tabular-nums">
        <thead>
          <tr className="text-left">
            <th className={cell}>Date</th>
            <th className={cell}>Lesson</th>
            <th className={cell}>Customer</th>
            <th className={figure}>Price</th>
            <th className={figure}>Fee and refunds</th>
            <th className={figure}>Paid</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={`${line.bookingId} ${line.kind}`} className="break-inside-avoid">
              <td className={`${cell} whitespace-nowrap`}>
                {dayOf(line.startTime)}, {formatTime(line.startTime)}
              </td>
              <td className={cell}>
                {line.title}
                {line.kind === 'carried_forward' && ' (deducted after a refund)'}
              </td>
              <td className={cell}>{line.customerName}</td>
              <td className={figure}>{line.priceCents === null ? '–' : formatPounds(line.priceCents)}</td>
              <td className={figure}>{line.keptCents === null ? '–' : formatPounds(-line.keptCents || 0)}</td>
              <td className={figure}>{formatPounds(line.amountCents)}</td>
            </tr>
          ))}
          {sums.map(([name, cents]) => (
            <tr key={name} className="font-semibold">
              <td colSpan={5} className={cell}>
                {name}
              </td>
              <td className={figure}>{formatPounds(cents)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
