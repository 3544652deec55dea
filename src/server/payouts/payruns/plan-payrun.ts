import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { ParsedInputOf } from '#domain/endpoint.ts';
import { AppError } from '#domain/errors.ts';
import { formatPounds } from '#domain/money.ts';
import type { PayrunPreview, payoutsApi } from '#domain/payouts/contract.ts';
import { largestPayrun } from '#domain/payouts/payruns.ts';
import { shareOfBooking } from '#server/bookings/ledger.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { isWaiting } from '#server/progress/payout-condition.ts';
import { dueForBooking, isPayable, isWithheld } from '../payable.ts';
import { findReadyBookings } from './list-payable-bookings.ts';

/**
 * One item of a payrun: what is due to the coach for a booking, or a deduction for the coach's part of `refundId`, a
 * refund made after the booking's payout.
 */
export type PayrunItem = {
  bookingId: string;
  coachId: string;
  coachName: string;
  kind: 'lesson' | 'carried_forward';
  amountCents: number;
  refundId: string | null;
};

export type PayrunSelection = ParsedInputOf<typeof payoutsApi.previewPayrun>;

/**
 * The items and totals of a payrun for this selection; `isClaiming` locks its bookings. Throws `conflict` if there are
 * no bookings or too many; if bookings are withheld, wait for attendance or a note, are no longer payable or belong to
 * coaches without bank details (details.bookingIds); or if a coach owes at least as much as their selected bookings
 * earn (details.coachId, details.amountCents). A selection by filter leaves out such bookings and coaches, and is
 * refused only if it is too large or no bookings remain.
 */
export async function planPayrun(
  tx: Tx,
  { bookingIds, matching }: PayrunSelection,
  { isClaiming }: { isClaiming: boolean },
): Promise<{ items: PayrunItem[]; preview: PayrunPreview }> {
  const ids = matching
    ? await findReadyBookings(tx, matching, { limit: largestPayrun + 1, isClaiming })
    : await nameBookings(tx, bookingIds ?? [], isClaiming);
  if (ids.length > largestPayrun) {
    throw new AppError(
      'conflict',
      `A payrun can have at most ${largestPayrun.toLocaleString('en-GB')} bookings. Choose a shorter period.`,
    );
  }
  const lessons = await readLessons(tx, ids);
  if (!matching) refuseMissing(ids, lessons);
  if (lessons.length === 0) throw new AppError('conflict', 'None of the matching bookings can be paid now.');
  const coachIds = [...new Set(lessons.map(({ coachId }) => coachId))];
  await refuseWithoutBankDetails(tx, lessons, coachIds, isClaiming);
  const items = [...lessons, ...(await findCarriedForward(tx, coachIds))];
  const { coaches, owing } = sumByCoach(items);
  if (owing[0] && (!matching || coaches.length === 0)) throw refuseOwing(owing[0]);
  const leftOut = new Set(owing.map(({ coachId }) => coachId));
  const paid = items.filter(({ coachId }) => !leftOut.has(coachId));
  const sum = (amounts: number[]) => amounts.reduce((total, cents) => total + cents, 0);
  return {
    items: paid,
    preview: {
      bookingCount: sum(coaches.map(({ bookingCount }) => bookingCount)),
      bookingsCents: sum(coaches.map(({ bookingsCents }) => bookingsCents)),
      totalAmountCents: sum(coaches.map(({ amountCents }) => amountCents)),
      fingerprint: fingerprintOf(paid),
      coaches,
      leftOut: owing.map(({ coachId, coachName, amountCents }) => ({
        coachId,
        coachName,
        owedCents: -amountCents,
      })),
    },
  };
}

/** A preview of the payrun for this selection. Throws the errors of {@link planPayrun}. */
export function previewPayrun(db: Database, selection: PayrunSelection): Promise<PayrunPreview> {
  return db
    .transaction()
    .execute(async (tx) => (await planPayrun(tx, selection, { isClaiming: false })).preview);
}

async function nameBookings(tx: Tx, bookingIds: string[], isClaiming: boolean): Promise<string[]> {
  const ids = [...new Set(bookingIds)];
  // All requests lock bookings in the same order, so that they never deadlock.
  if (isClaiming) {
    await sql`
      select from bookings where booking_id = any(${ids}::uuid[]) order by booking_id for update`.execute(tx);
  }
  return ids;
}

/**
 * Reads the bookings with these ids that are payable and neither withheld nor waiting for attendance or a note. Runs as
 * a separate statement after the locks, so that it sees every refund recorded before the locks.
 */
async function readLessons(tx: Tx, bookingIds: string[]): Promise<PayrunItem[]> {
  const { rows } = await sql<PayrunItem>`
    select booking.booking_id, slot.coach_id, profile.full_name as coach_name, 'lesson' as kind,
      due.cents as amount_cents, null::uuid as refund_id
    from bookings booking
    join lesson_slots slot using (slot_id)
    join profiles profile on profile.user_id = slot.coach_id
    cross join lateral ${dueForBooking} due
    where booking.booking_id = any(${bookingIds}::uuid[]) and ${isPayable} and not ${isWithheld} and not ${isWaiting}
    order by booking.booking_id`.execute(tx);
  return rows;
}

function refuseMissing(bookingIds: string[], lessons: PayrunItem[]): void {
  if (lessons.length === bookingIds.length) return;
  const payable = new Set(lessons.map(({ bookingId }) => bookingId));
  const gone = bookingIds.filter((bookingId) => !payable.has(bookingId));
  throw new AppError(
    'conflict',
    gone.length === 1
      ? 'One of these bookings is already in another payrun, disputed, refunded, waiting for its coach or otherwise not payable. Select the bookings again.'
      : `${gone.length} of these bookings are already in another payrun, disputed, refunded, waiting for their coach or otherwise not payable. Select the bookings again.`,
    { details: { bookingIds: gone } },
  );
}

async function refuseWithoutBankDetails(
  tx: Tx,
  lessons: PayrunItem[],
  coachIds: string[],
  isClaiming: boolean,
): Promise<void> {
  const known = await tx
    .selectFrom('coachBankDetails')
    .select('coachId')
    .where('coachId', '=', sql<string>`any(${coachIds}::uuid[])`)
    .$if(isClaiming, (query) => query.forShare())
    .execute();
  const withDetails = new Set(known.map(({ coachId }) => coachId));
  const missing = lessons.filter(({ coachId }) => !withDetails.has(coachId));
  if (missing.length === 0) return;
  const names = [...new Set(missing.map(({ coachName }) => coachName))].sort();
  throw new AppError(
    'conflict',
    `${names.join(', ')} ${names.length === 1 ? 'has' : 'have'} not added bank details yet, so there is no account to pay into.`,
    { details: { bookingIds: missing.map(({ bookingId }) => bookingId) } },
  );
}

/**
 * Finds the amounts still to be deducted because bookings of these coaches were refunded after their payout: one item
 * for each line of such a refund. Earlier refunds had already lowered the payout, so the newest refund lines in the
 * ledger make up the overpaid amount. A pending payrun may be cancelled, so nothing is deducted for its bookings yet.
 */
async function findCarriedForward(tx: Tx, coachIds: string[]): Promise<PayrunItem[]> {
  const { rows } = await sql<PayrunItem>`
    with overpaid as materialized (
      select booking.booking_id, booking.coach_id, taken.cents - share.cents as cents
      from payrun_items booking
      join payruns payrun using (payrun_id)
      cross join lateral ${shareOfBooking} share
      cross join lateral (
        select sum(amount_cents) as cents from payrun_items item
        where item.booking_id = booking.booking_id and not item.is_cancelled
      ) taken
      where booking.coach_id = any(${coachIds}::uuid[]) and booking.kind = 'lesson' and not booking.is_cancelled
        and payrun.status = 'paid'
        and exists (
          select from ledger_entries entry
          where entry.booking_id = booking.booking_id and entry.kind = 'refunded'
        )
        and share.cents < taken.cents
    ), remaining as (
      select overpaid.*, line.refund_id, line.coach_cents,
        coalesce(sum(line.coach_cents) over (
          partition by overpaid.booking_id order by entry.entry_id desc rows between unbounded preceding and 1 preceding
        ), 0) as before_cents
      from overpaid
      join refund_lines line using (booking_id)
      join ledger_entries entry
        on entry.booking_id = line.booking_id and entry.kind = 'refunded' and entry.source_id = line.refund_id
      where not exists (
        select from payrun_items item
        where item.booking_id = line.booking_id and item.refund_id = line.refund_id and not item.is_cancelled)
    )
    select remaining.booking_id, remaining.coach_id, profile.full_name as coach_name, 'carried_forward' as kind,
      -least(coach_cents, cents - before_cents)::integer as amount_cents, refund_id
    from remaining
    join profiles profile on profile.user_id = remaining.coach_id
    where coach_cents > 0 and before_cents < cents
    order by booking_id, refund_id`.execute(tx);
  return rows;
}

type CoachSum = PayrunPreview['coaches'][number];

/**
 * Totals by coach, in order of name: `coaches` receive a payment, `owing` owe at least as much as they would receive.
 */
function sumByCoach(items: PayrunItem[]): { coaches: CoachSum[]; owing: CoachSum[] } {
  const sums = new Map<string, CoachSum>();
  for (const { coachId, coachName, kind, amountCents } of items) {
    const sum = sums.get(coachId) ?? {
      ...{ coachId, coachName, bookingCount: 0, bookingsCents: 0, deductedCents: 0, amountCents: 0 },
    };
    sum.amountCents += amountCents;
    if (kind === 'lesson') {
      sum.bookingCount += 1;
      sum.bookingsCents += amountCents;
    } else sum.deductedCents -= amountCents;
    sums.set(coachId, sum);
  }
  const sorted = [...sums.values()].sort((a, b) => a.coachName.localeCompare(b.coachName, 'en-GB'));
  return {
    coaches: sorted.filter(({ amountCents }) => amountCents > 0),
    owing: sorted.filter(({ amountCents }) => amountCents <= 0),
  };
}

function refuseOwing({ coachId, coachName, amountCents }: CoachSum): AppError {
  return new AppError(
    'conflict',
    `After refunds of lessons that were already paid out, ${coachName} still owes ${formatPounds(-amountCents)}. Select more of this coach's bookings, or none of them.`,
    { details: { coachId, amountCents } },
  );
}

function fingerprintOf(items: PayrunItem[]): string {
  const lines = items.map(
    ({ kind, bookingId, amountCents, refundId }) => `${kind} ${bookingId} ${amountCents} ${refundId ?? ''}`,
  );
  return createHash('sha256').update(lines.sort().join('\n')).digest('base64url');
}
