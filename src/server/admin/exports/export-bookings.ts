import { sql } from 'kysely';
import { shortReference } from '#domain/reference.ts';
import { type CsvColumns, csvTime } from '#server/platform/csv.ts';
import type { Database } from '#server/platform/db/db.ts';
import { readCursor } from '#server/platform/db/read-cursor.ts';
import type { Span } from './span.ts';

type BookingRow = Record<
  'bookingId' | 'status' | 'createdAt' | 'title' | 'sport' | 'startTime' | 'coachName' | 'customerName',
  string
> &
  Record<
    'amountCents' | 'chargedCents' | 'refundedCents' | 'feeCents' | 'shareCents' | 'paidOutCents',
    number
  >;

const columns: CsvColumns<BookingRow> = {
  booked_at: ({ createdAt }) => csvTime(createdAt),
  reference: ({ bookingId }) => shortReference(bookingId),
  booking_id: ({ bookingId }) => bookingId,
  status: ({ status }) => status,
  lesson: ({ title }) => title,
  sport: ({ sport }) => sport,
  lesson_starts_at: ({ startTime }) => csvTime(startTime),
  coach: ({ coachName }) => coachName,
  customer: ({ customerName }) => customerName,
  price: ({ amountCents }) => ({ cents: amountCents }),
  charged: ({ chargedCents }) => ({ cents: chargedCents }),
  refunded: ({ refundedCents }) => ({ cents: refundedCents }),
  platform_fee: ({ feeCents }) => ({ cents: feeCents }),
  coach_share: ({ shareCents }) => ({ cents: shareCents }),
  paid_to_coach: ({ paidOutCents }) => ({ cents: paidOutCents }),
  currency: () => 'GBP',
};

/**
 * The columns and rows of the export of bookings made in this period, oldest first. Fees, shares and payouts
 * are from the ledger.
 */
export function readBookings(db: Database, { since, until }: Span) {
  const rows = readCursor<BookingRow>(
    db,
    'export_bookings',
    sql`
      select booking.booking_id, booking.status, booking.created_at, booking.title, booking.sport,
        lower(booking.during) as start_time, coach.full_name as coach_name, customer.full_name as customer_name,
        booking.amount_cents, booking.charged_cents, booking.refunded_cents, entered.fee_cents,
        entered.charged_cents - entered.refunded_cents - entered.fee_cents as share_cents, entered.paid_out_cents
      from bookings booking
      join lesson_slots slot using (slot_id)
      join profiles coach on coach.user_id = slot.coach_id
      join profiles customer on customer.user_id = booking.customer_user_id
      cross join lateral (
        select coalesce(sum(amount_cents) filter (where kind = 'charged'), 0)::bigint as charged_cents,
          coalesce(-sum(amount_cents) filter (where kind = 'refunded'), 0)::bigint as refunded_cents,
          coalesce(sum(amount_cents) filter (where kind in ('fee', 'fee_refunded')), 0)::bigint as fee_cents,
          coalesce(-sum(amount_cents) filter (where kind not in ('charged', 'refunded', 'fee', 'fee_refunded')),
            0)::bigint as paid_out_cents
        from ledger_entries entry where entry.booking_id = booking.booking_id
      ) entered
      where booking.created_at >= ${since}::timestamptz and booking.created_at < ${until}::timestamptz
      order by booking.created_at, booking.booking_id`,
  );
  return [columns, rows] as const;
}
