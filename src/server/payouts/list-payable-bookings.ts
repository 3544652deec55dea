import { sql } from 'kysely';
import type { OutputOf, ParsedInputOf } from '#domain/endpoint.ts';
import type { PayableBooking, payoutsApi } from '#domain/payouts/contract.ts';
import type { Database } from '#server/platform/db.ts';
import { readPageCursor } from './page-cursor.ts';

/**
 * The coach's share (aliased `share`) of a booking (aliased `booking`), as its ledger has it: docs/decisions/0011.
 * Joined laterally.
 */
export const shareOfBooking = sql`(
  select coalesce(sum(case when entry.kind in ('fee', 'fee_refunded') then -entry.amount_cents else entry.amount_cents end)
    filter (where entry.kind not in ('paid_out', 'paid_back')), 0)::bigint as cents
  from ledger_entries entry where entry.booking_id = booking.booking_id
)`;

/** A page of bookings that a payrun can pay, those of coaches without bank details included, oldest lesson first. */
export async function listPayableBookings(
  db: Database,
  { readyOnly, cursor, limit }: ParsedInputOf<typeof payoutsApi.listPayableBookings>,
): Promise<OutputOf<typeof payoutsApi.listPayableBookings>> {
  const after = readPageCursor(cursor);
  const { rows } = await sql<PayableBooking & { pageTime: string }>`
    select booking.booking_id, slot.coach_id, coach.full_name as coach_name, customer.full_name as customer_name,
      template.title, slot.end_time, share.cents as amount_cents, bank.coach_id is not null as has_bank_details,
      upper(booking.during) as page_time
    from bookings booking
    cross join lateral ${shareOfBooking} share
    join lesson_slots slot using (slot_id)
    join lesson_templates template using (template_id)
    join profiles coach on coach.user_id = slot.coach_id
    join profiles customer on customer.user_id = booking.customer_user_id
    left join coach_bank_details bank on bank.coach_id = slot.coach_id
    where not booking.is_in_payrun and booking.amount_cents > 0 and upper(booking.during) <= now()
      and booking.status not in ('pending', 'released') and slot.end_time <= now() and share.cents > 0
      ${readyOnly === 'true' ? sql`and bank.coach_id is not null` : sql``}
      ${after ? sql`and (upper(booking.during), booking.booking_id) > (${after.time}::timestamptz, ${after.id}::uuid)` : sql``}
    order by upper(booking.during), booking.booking_id
    limit ${limit + 1}`.execute(db);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    bookings: page.map(({ pageTime: _, ...booking }) => booking),
    nextCursor: last ? `${last.pageTime}_${last.bookingId}` : null,
  };
}
