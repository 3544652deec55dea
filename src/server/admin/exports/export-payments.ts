import { sql } from 'kysely';
import { shortReference } from '#domain/reference.ts';
import { openCents } from '#server/bookings/refunds/external-money.ts';
import { type CsvColumns, csvTime } from '#server/platform/csv.ts';
import type { Database } from '#server/platform/db/db.ts';
import { readCursor } from '#server/platform/db/read-cursor.ts';
import type { Span } from './span.ts';

type PaymentRow = Record<'at' | 'kind' | 'status' | 'paymentId', string> &
  Record<
    'bookingId' | 'title' | 'coachName' | 'customerName' | 'stripeId' | 'card' | 'reason' | 'borneBy',
    string | null
  > & { amountCents: number };

const columns: CsvColumns<PaymentRow> = {
  at: ({ at }) => csvTime(at),
  kind: ({ kind }) => kind,
  status: ({ status }) => status,
  booking: ({ bookingId }) => (bookingId ? shortReference(bookingId) : ''),
  lesson: ({ title }) => title ?? '',
  coach: ({ coachName }) => coachName ?? '',
  customer: ({ customerName }) => customerName ?? '',
  amount: ({ amountCents }) => ({ cents: amountCents }),
  currency: () => 'GBP',
  card: ({ card }) => card ?? '',
  reason: ({ reason }) => reason ?? '',
  borne_by: ({ borneBy }) => borneBy ?? '',
  payment_id: ({ paymentId }) => paymentId,
  stripe_id: ({ stripeId }) => stripeId ?? '',
};

/**
 * The columns and rows of the export of payments and refunds made in this period, oldest first: a row for each line, so
 * that a joint payment has a row for each of its bookings. The part of a refund made directly in Stripe that no refund
 * of ours accounts for has one row, without a booking.
 */
export function readPayments(db: Database, { since, until }: Span) {
  const isMade = (at: string) =>
    sql`${sql.ref(at)} >= ${since}::timestamptz and ${sql.ref(at)} < ${until}::timestamptz`;
  const rows = readCursor<PaymentRow>(
    db,
    'export_payments',
    sql`
      select line.*, booking.title, coach.full_name as coach_name, customer.full_name as customer_name
      from (
        select payment.created_at as at, 'payment' as kind, payment.status, line.booking_id, line.amount_cents,
          payment.payment_id, payment.customer_user_id, payment.stripe_payment_intent_id as stripe_id,
          payment.card_brand || ' ' || payment.card_last_four as card, payment.failure_code as reason,
          null as borne_by, line.line_no
        from payments payment join payment_lines line using (payment_id)
        where ${isMade('payment.created_at')}
        union all
        select refund.created_at, 'refund', refund.status, line.booking_id, -line.amount_cents, payment.payment_id,
          payment.customer_user_id, refund.stripe_refund_id,
          payment.card_brand || ' ' || payment.card_last_four, refund.reason, refund.borne_by, 0
        from refunds refund
        join refund_lines line using (refund_id)
        join payments payment using (payment_id)
        where ${isMade('refund.created_at')}
        union all
        select external.made_at, 'refund made in Stripe', external.status, null,
          -${openCents}, payment.payment_id, payment.customer_user_id,
          external.stripe_refund_id, payment.card_brand || ' ' || payment.card_last_four, null, null, 0
        from external_refunds external
        join payments payment using (payment_id)
        where ${openCents} > 0 and ${isMade('external.made_at')}
      ) line
      join profiles customer on customer.user_id = line.customer_user_id
      left join bookings booking using (booking_id)
      left join lesson_slots slot using (slot_id)
      left join profiles coach on coach.user_id = slot.coach_id
      order by line.at, line.payment_id, line.line_no, line.booking_id, line.stripe_id`,
  );
  return [columns, rows] as const;
}
