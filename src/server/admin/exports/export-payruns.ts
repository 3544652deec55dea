import { sql } from 'kysely';
import { shortReference } from '#domain/reference.ts';
import { type CsvColumns, csvTime } from '#server/platform/csv.ts';
import type { Database } from '#server/platform/db/db.ts';
import { readCursor } from '#server/platform/db/read-cursor.ts';
import type { Span } from './span.ts';

type PayrunRow = Record<
  | 'payrunId'
  | 'status'
  | 'createdAt'
  | 'paymentReference'
  | 'coachName'
  | 'bookingId'
  | 'kind'
  | 'title'
  | 'startTime',
  string
> & { paidAt: string | null; returnedAt: string | null; amountCents: number };

const timeOrNone = (at: string | null) => (at ? csvTime(at) : '');

const columns: CsvColumns<PayrunRow> = {
  created_at: ({ createdAt }) => csvTime(createdAt),
  payrun: ({ payrunId }) => shortReference(payrunId),
  payment_reference: ({ paymentReference }) => paymentReference,
  status: ({ status }) => status,
  paid_at: ({ paidAt }) => timeOrNone(paidAt),
  coach: ({ coachName }) => coachName,
  booking: ({ bookingId }) => shortReference(bookingId),
  lesson: ({ title }) => title,
  lesson_starts_at: ({ startTime }) => csvTime(startTime),
  kind: ({ kind }) => (kind === 'lesson' ? 'lesson' : 'deducted after a refund'),
  amount: ({ amountCents }) => ({ cents: amountCents }),
  currency: () => 'GBP',
  returned_at: ({ returnedAt }) => timeOrNone(returnedAt),
};

/**
 * The columns and rows of the export of payruns created in this period, oldest first: a row for each lesson and each
 * deduction.
 */
export function readPayruns(db: Database, { since, until }: Span) {
  const rows = readCursor<PayrunRow>(
    db,
    'export_payruns',
    sql`
      select payrun.payrun_id, payrun.status, payrun.created_at, payrun.payment_reference, payrun.paid_at,
        coach.full_name as coach_name, booking.booking_id, item.kind, booking.title,
        lower(booking.during) as start_time, item.amount_cents, returned.entered_at as returned_at
      from payruns payrun
      join payrun_items item using (payrun_id)
      join bookings booking using (booking_id)
      join profiles coach on coach.user_id = item.coach_id
      left join payrun_returns returned
        on returned.payrun_id = item.payrun_id and returned.coach_id = item.coach_id
      where payrun.created_at >= ${since}::timestamptz and payrun.created_at < ${until}::timestamptz
      order by payrun.created_at, payrun.payrun_id, coach.full_name, lower(booking.during), booking.booking_id,
        item.kind, item.refund_id`,
  );
  return [columns, rows] as const;
}
