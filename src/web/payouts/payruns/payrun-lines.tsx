import { useState } from 'react';
import { type PayrunLine, payrunApi } from '#domain/payouts/payrun-contract.ts';
import { shortReference } from '#domain/reference.ts';
import { formatDay, formatTime } from '#domain/time.ts';
import { usePages } from '#web/app/api/use-pages.ts';
import { Button } from '#web/ui/button.tsx';
import { Section } from '#web/ui/card.tsx';
import { Money } from '#web/ui/money.tsx';
import { PagedList } from '#web/ui/page/paged-list.tsx';
import { SkeletonRows } from '#web/ui/page/skeleton.tsx';
import { RecordCell } from '#web/ui/record-cell.tsx';
import { Table, Td, Th } from '#web/ui/table.tsx';

/** The bookings of a payrun, a page at a time; pressing a coach's name filters by that coach. */
export function PayrunLines({ payrunId }: { payrunId: string }) {
  const [coach, setCoach] = useState<{ coachId: string; coachName: string } | null>(null);
  const found = usePages(
    payrunApi.listPayrunLines,
    { payrunId, ...(coach && { coachId: coach.coachId }) },
    (page) => page.lines,
    { keepsPrevious: true },
  );
  return (
    <Section
      title="Bookings"
      description={coach ? `Bookings with ${coach.coachName}.` : 'Earliest lesson first.'}
      actions={
        coach && (
          <Button size="sm" variant="secondary" onClick={() => setCoach(null)}>
            Show all coaches
          </Button>
        )
      }
    >
      <PagedList
        found={found}
        skeleton={<SkeletonRows label="Loading bookings..." />}
        failure="Failed to load the payrun's bookings"
        empty={null}
        more="Show more bookings"
      >
        {(lines) => (
          <Table label="Bookings" isStacked>
            <thead>
              <tr>
                <Th>Lesson</Th>
                <Th>Coach</Th>
                <Th>Customer</Th>
                <Th>Reference</Th>
                <Th isNumeric>Amount</Th>
              </tr>
            </thead>
            <tbody>
              {lines.map((line) => (
                <LineRow key={line.bookingId} line={line} onChoose={() => setCoach(line)} />
              ))}
            </tbody>
          </Table>
        )}
      </PagedList>
    </Section>
  );
}

function LineRow({ line, onChoose }: { line: PayrunLine; onChoose: () => void }) {
  const { title, startTime, coachName, customerName, bookingId, kind, amountCents, isReturned } = line;
  return (
    <tr>
      <RecordCell label="Lesson" name={title} to="/admin/bookings/$bookingId" params={{ bookingId }}>
        {formatDay(startTime, Date.now())}, {formatTime(startTime)}
        {kind === 'carried_forward' && ' · deducted after a refund'}
        {isReturned && ' · returned'}
      </RecordCell>
      <Td label="Coach">
        <button
          type="button"
          onClick={onChoose}
          className="text-left wrap-anywhere underline-offset-4 hover:underline touch:min-h-11"
        >
          {coachName}
        </button>
      </Td>
      <Td label="Customer" className="wrap-anywhere">
        {customerName}
      </Td>
      <Td label="Reference">{shortReference(bookingId)}</Td>
      <Td label="Amount" isNumeric>
        <Money cents={amountCents} className={isReturned ? 'text-muted-foreground line-through' : ''} />
      </Td>
    </tr>
  );
}
