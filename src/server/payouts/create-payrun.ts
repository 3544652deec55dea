import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import type { ParsedInputOf } from '#domain/endpoint.ts';
import { AppError } from '#domain/errors.ts';
import { formatPounds } from '#domain/money.ts';
import type { Payrun, payoutsApi } from '#domain/payouts/contract.ts';
import { defaultReference } from '#domain/payouts/payruns.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Database, Tx } from '#server/platform/db.ts';
import { isDisputed, shareOfBooking } from './list-payable-bookings.ts';
import { getPayrun } from './list-payruns.ts';

type Item = {
  bookingId: string;
  coachId: string;
  coachName: string;
  kind: 'lesson' | 'carried_forward';
  amountCents: number;
};

/**
 * Puts bookings into a new payrun with the coaches' bank details of this moment. What was refunded of a coach's
 * earlier paid bookings since is taken off. Throws `conflict`, with details.bookingIds where it is about some of
 * them: no longer payable, disputed, no bank details, or a coach who owes more than these are worth.
 */
export async function createPayrun(
  db: Database,
  admin: Person,
  input: ParsedInputOf<typeof payoutsApi.createPayrun>,
): Promise<Payrun> {
  const payrunId = randomUUID();
  const bookingIds = [...new Set(input.bookingIds)];
  await db.transaction().execute(async (tx) => {
    // Payruns are created one after the other, so that none takes off what another one is taking off.
    await sql`lock table payruns in share row exclusive mode`.execute(tx);
    const lessons = await claimBookings(tx, bookingIds);
    const coachIds = [...new Set(lessons.map(({ coachId }) => coachId))];
    await refuseWithoutBankDetails(tx, lessons, coachIds);
    const items = [...lessons, ...(await findCarriedForward(tx, coachIds))];
    const totals = sumByCoach(items);
    const totalAmountCents = [...totals.values()].reduce((sum, cents) => sum + cents, 0);
    await tx
      .insertInto('payruns')
      .values({
        payrunId,
        totalAmountCents,
        currency: input.currency,
        paymentReference: input.paymentReference ?? defaultReference(payrunId),
        createdBy: admin.userId,
      })
      .execute();
    await sql`
      insert into payrun_recipients (payrun_id, coach_id, amount_cents, account_name, account_number_sealed,
        sort_code_sealed, recipient_type, bank_country, bank_details_at)
      select ${payrunId}::uuid, coach_id, total.cents, account_name, account_number_sealed,
        sort_code_sealed, recipient_type, bank_country, updated_at
      from coach_bank_details
      join unnest(${[...totals.keys()]}::uuid[], ${[...totals.values()]}::bigint[]) total (coach_id, cents)
        using (coach_id)`.execute(tx);
    await tx
      .insertInto('payrunItems')
      .values(items.map(({ coachName: _, ...item }) => ({ ...item, payrunId })))
      .execute();
    await recordAudit(tx, admin, {
      action: 'payrun.created',
      subjectType: 'payrun',
      subjectId: payrunId,
      after: { totalAmountCents, bookings: lessons.length, coaches: coachIds.length },
    });
  });
  return getPayrun(db, payrunId);
}

/** Marks the bookings as being in a payrun; refuses all of them where one cannot be paid (any more). */
async function claimBookings(tx: Tx, bookingIds: string[]): Promise<Item[]> {
  // In one order everywhere, so that two who want the same bookings never wait for each other.
  await sql`
    select from bookings where booking_id = any(${bookingIds}::uuid[]) order by booking_id for update`.execute(
    tx,
  );
  const { rows } = await sql<Item>`
    with claimed as (
      update bookings booking set is_in_payrun = true
      from lesson_slots slot
      where booking.booking_id = any(${bookingIds}::uuid[]) and slot.slot_id = booking.slot_id
        and not booking.is_in_payrun and booking.status not in ('pending', 'released') and slot.end_time <= now()
        and not ${isDisputed}
      returning booking.booking_id, slot.coach_id
    )
    select booking.booking_id, booking.coach_id, profile.full_name as coach_name, 'lesson' as kind,
      share.cents as amount_cents
    from claimed booking
    join profiles profile on profile.user_id = booking.coach_id
    cross join lateral ${shareOfBooking} share
    where share.cents > 0
    order by booking.booking_id`.execute(tx);
  if (rows.length === bookingIds.length) return rows;
  const payable = new Set(rows.map(({ bookingId }) => bookingId));
  const gone = bookingIds.filter((bookingId) => !payable.has(bookingId));
  throw new AppError(
    'conflict',
    gone.length === 1
      ? 'One of these bookings is in another payrun already, disputed, or can no longer be paid. Select them again.'
      : `${gone.length} of these bookings are in another payrun already, disputed, or can no longer be paid. Select them again.`,
    { details: { bookingIds: gone } },
  );
}

async function refuseWithoutBankDetails(tx: Tx, lessons: Item[], coachIds: string[]): Promise<void> {
  const known = await tx
    .selectFrom('coachBankDetails')
    .select('coachId')
    .where('coachId', 'in', coachIds)
    .forShare()
    .execute();
  const withDetails = new Set(known.map(({ coachId }) => coachId));
  const missing = lessons.filter(({ coachId }) => !withDetails.has(coachId));
  if (missing.length === 0) return;
  const names = [...new Set(missing.map(({ coachName }) => coachName))].sort();
  throw new AppError(
    'conflict',
    `${names.join(', ')} ${names.length === 1 ? 'has' : 'have'} not given bank details yet, so there is no account to pay to.`,
    { details: { bookingIds: missing.map(({ bookingId }) => bookingId) } },
  );
}

/** What was refunded of these coaches' bookings after they had gone into a payrun; not taken off before. */
async function findCarriedForward(tx: Tx, coachIds: string[]): Promise<Item[]> {
  const { rows } = await sql<Item>`
    select booking.booking_id, booking.coach_id, profile.full_name as coach_name, 'carried_forward' as kind,
      share.cents - booking.amount_cents as amount_cents
    from payrun_items booking
    join profiles profile on profile.user_id = booking.coach_id
    cross join lateral ${shareOfBooking} share
    where booking.coach_id = any(${coachIds}::uuid[]) and booking.kind = 'lesson'
      and exists (
        select from ledger_entries entry
        where entry.booking_id = booking.booking_id and entry.kind = 'refunded'
      )
      and not exists (
        select from payrun_items taken
        where taken.booking_id = booking.booking_id and taken.kind = 'carried_forward'
      )
      and share.cents < booking.amount_cents`.execute(tx);
  return rows;
}

function sumByCoach(items: Item[]): Map<string, number> {
  const totals = new Map<string, number>();
  for (const { coachId, amountCents } of items) totals.set(coachId, (totals.get(coachId) ?? 0) + amountCents);
  for (const { coachId, coachName } of items) {
    const cents = totals.get(coachId)!;
    if (cents > 0) continue;
    throw new AppError(
      'conflict',
      `After refunds of lessons paid out earlier ${coachName} still owes ${formatPounds(-cents)}. Select more of their bookings, or leave them out.`,
      { details: { coachId, amountCents: cents } },
    );
  }
  return totals;
}
