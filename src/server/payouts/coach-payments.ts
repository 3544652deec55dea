import { sql } from 'kysely';
import type { OutputOf, ParsedInputOf } from '#domain/endpoint.ts';
import type { CoachPayment, earningsApi, PaidLesson } from '#domain/payouts/earnings-contract.ts';
import { formatTime } from '#domain/time.ts';
import { type CsvColumns, csvDay, datedCsvName, writeCsv } from '#server/platform/csv.ts';
import type { Database } from '#server/platform/db/db.ts';
import { cutPage, readPageCursor, rowsOfPage } from '#server/platform/db/page-cursor.ts';

/**
 * A page of the payments to a coach, newest first, with their lessons and deductions. Only paid payruns count; payments
 * that the bank returned are marked.
 */
export async function listPayments(
  db: Database,
  coachId: string,
  { cursor, limit }: ParsedInputOf<typeof earningsApi.listPayments>,
): Promise<OutputOf<typeof earningsApi.listPayments>> {
  const after = readPageCursor(cursor);
  const { rows } = await sql<Omit<CoachPayment, 'lessons'>>`
    select payrun.payrun_id, payrun.paid_at, recipient.amount_cents, payrun.payment_reference,
      case when returned.coach_id is not null
        then json_build_object('at', returned.entered_at, 'reason', returned.reason) end as returned
    from payrun_recipients recipient join payruns payrun using (payrun_id)
    left join payrun_returns returned using (payrun_id, coach_id)
    where recipient.coach_id = ${coachId}::uuid and payrun.status = 'paid'
      ${after ? sql`and (payrun.paid_at, payrun.payrun_id) < (${after.time}::timestamptz, ${after.id}::uuid)` : sql``}
    order by payrun.paid_at desc, payrun.payrun_id desc
    limit ${rowsOfPage(limit)}`.execute(db);
  const { page, nextCursor } = cutPage(rows, limit, ({ paidAt, payrunId }) => ({
    time: paidAt,
    id: payrunId,
  }));
  const ids = page.map(({ payrunId }) => payrunId);
  const lessons = ids.length > 0 ? await readLessons(db, coachId, ids) : [];
  return {
    payments: page.map((payment) => ({
      ...payment,
      lessons: lessons.filter(({ payrunId }) => payrunId === payment.payrunId),
    })),
    nextCursor,
  };
}

/** All payments to a coach as CSV, newest payment first, one row per lesson or deduction. */
export async function exportPayments(
  db: Database,
  coachId: string,
): Promise<OutputOf<typeof earningsApi.exportPayments>> {
  const rows = await readLessons(db, coachId, null);
  return writeCsv({ fileName: datedCsvName('payments'), columns, rows });
}

const columns: CsvColumns<PaidLessonRow> = {
  paid_on: ({ paidAt }) => csvDay(paidAt),
  payment_reference: ({ paymentReference }) => paymentReference,
  lesson_date: ({ startTime }) => csvDay(startTime),
  lesson_time: ({ startTime }) => formatTime(startTime),
  lesson: ({ title }) => title,
  customer: ({ customerName }) => customerName,
  kind: ({ kind }) => (kind === 'lesson' ? 'lesson' : 'deducted after a refund'),
  amount: ({ amountCents }) => ({ cents: amountCents }),
  currency: () => 'GBP',
  returned_on: ({ returnedAt }) => (returnedAt ? csvDay(returnedAt) : ''),
};

type PaidLessonRow = PaidLesson &
  Record<'payrunId' | 'paidAt' | 'paymentReference', string> & {
    returnedAt: string | null;
  };

/**
 * Reads this coach's lessons and deductions in the given paid payruns, or in all paid payruns if `payrunIds` is null.
 */
async function readLessons(
  db: Database,
  coachId: string,
  payrunIds: string[] | null,
): Promise<PaidLessonRow[]> {
  const { rows } = await sql<PaidLessonRow>`
    select item.payrun_id, booking.booking_id, booking.slot_id, item.kind, booking.title, lower(booking.during) as start_time,
      customer.full_name as customer_name, item.amount_cents, payrun.paid_at, payrun.payment_reference,
      returned.entered_at as returned_at
    from payrun_items item
    join payruns payrun using (payrun_id)
    left join payrun_returns returned using (payrun_id, coach_id)
    join bookings booking using (booking_id)
    join profiles customer on customer.user_id = booking.customer_user_id
    where item.coach_id = ${coachId}::uuid and payrun.status = 'paid'
      ${payrunIds === null ? sql`` : sql`and item.payrun_id = any(${payrunIds}::uuid[])`}
    order by payrun.paid_at desc, payrun.payrun_id, lower(booking.during), booking.booking_id, item.kind`.execute(
    db,
  );
  return rows;
}
