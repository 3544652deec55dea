import { sql } from 'kysely';
import type { BlockerFacts } from '#domain/account/deletion.ts';
import { planDeparture } from '#domain/businesses/rules.ts';
import { AppError } from '#domain/errors.ts';
import { coachCents } from '#server/bookings/ledger.ts';
import { unfinishedOfCustomer } from '#server/bookings/queries.ts';
import { listMembers } from '#server/businesses/queries.ts';
import { isUnsettled } from '#server/payments/unsettled-disputes.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';

/** SQL: whether a dispute, or a refund that waits for a second admin, may take the coach's share of `booking` back. */
const isContested = sql`(
  exists (select from payment_lines line join disputes using (payment_id)
    where line.booking_id = booking.booking_id and ${isUnsettled})
  or exists (select from refund_requests request
    where request.booking_id = booking.booking_id and request.status = 'waiting' and request.borne_by = 'coach'))`;

/**
 * Reads everything that must be settled before this person's account can be deleted. Throws `conflict` if the person
 * has no profile.
 */
export async function readBlockerFacts(db: Database | Tx, userId: string): Promise<BlockerFacts> {
  const { rows } = await sql<Omit<BlockerFacts, 'soleOwnerOf'>>`
    select
      ${unfinishedOfCustomer(sql`me.user_id`)},
      (select count(*) from lesson_slots
        where coach_id = me.user_id and status = 'scheduled' and booked_count > 0 and end_time > now())::int
        as lessons_to_give,
      (select count(*) from payments
        where customer_user_id = me.user_id and status in ('processing', 'requires_action'))::int
        as unfinished_payments,
      (select coalesce(sum(request.amount_cents), 0) from refund_requests request join bookings using (booking_id)
        where customer_user_id = me.user_id and request.status = 'waiting')::bigint as waiting_refund_cents,
      (select coalesce(sum(${coachCents}), 0) from lesson_slots slot
        join bookings using (slot_id) join ledger_entries entry using (booking_id)
        where slot.coach_id = me.user_id)::bigint as balance_cents,
      exists (select from payrun_recipients join payruns using (payrun_id)
        where coach_id = me.user_id and status = 'pending') as is_in_pending_payrun,
      (select count(*) from lesson_slots slot join bookings booking using (slot_id)
        where slot.coach_id = me.user_id and ${isContested}
          and exists (select from ledger_entries paid
            where paid.booking_id = booking.booking_id and paid.kind = 'paid_out'))::int as contested_lessons,
      (select count(*) from guardians mine join bookings booking using (participant_id)
        where mine.user_id = me.user_id and booking.customer_user_id <> me.user_id and booking.is_active
          and upper(booking.during) > now() and not exists (
            select from guardians other
            where other.participant_id = mine.participant_id and other.user_id <> me.user_id))::int
        as dependant_lessons,
      me.roles @> '{admin}' and not exists (
        select from profiles where roles @> '{admin}' and user_id <> me.user_id) as is_last_admin
    from profiles me where me.user_id = ${userId}::uuid`.execute(db);
  const open = rows[0];
  if (!open) throw new AppError('conflict', 'Please finish signing up first.');
  return { ...open, soleOwnerOf: await findLeaderlessTeam(db, userId) };
}

/**
 * The name of the person's business if it has other members but would have no active owner without this
 * person; null otherwise.
 */
async function findLeaderlessTeam(db: Database | Tx, userId: string): Promise<string | null> {
  const own = await db
    .selectFrom('coaches')
    .innerJoin('coachingBusinesses', 'coachingBusinesses.businessId', 'coaches.businessId')
    .select(['coachingBusinesses.businessId', 'coachingBusinesses.businessName'])
    .where('coaches.coachId', '=', userId)
    .executeTakeFirst();
  if (!own) return null;
  const members = await listMembers(db, own.businessId);
  const me = members.find(({ coachId }) => coachId === userId);
  const isLeaderless = me && members.length > 1 && planDeparture(me, members).outcome === 'ends';
  return isLeaderless ? own.businessName : null;
}
