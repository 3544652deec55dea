import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import type { ParsedInputOf } from '#domain/endpoint.ts';
import { AppError } from '#domain/errors.ts';
import { formatPounds } from '#domain/money.ts';
import type { Payrun, PayrunPreview, payoutsApi } from '#domain/payouts/contract.ts';
import { defaultReference } from '#domain/payouts/payruns.ts';
import { nameActor, notifyAdmins } from '#server/accounts/notify-admins.ts';
import { composePayrunWaitingMessage } from '#server/notifications/templates/payruns.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { readBrand, readSetting } from '#server/settings/queries.ts';
import { getPayrun } from './list-payruns.ts';
import { type PayrunItem, planPayrun } from './plan-payrun.ts';

/**
 * Puts bookings into a new payrun with the coaches' current bank details. Refunds made after a coach was paid for a
 * booking are deducted. If the payrun needs two admins, the other admins are notified. Throws the errors of
 * {@link planPayrun}, and `selection_changed` with the current preview in its details if the fingerprint differs from
 * the one that the admin was shown.
 */
export async function createPayrun(
  db: Database,
  admin: Person,
  input: ParsedInputOf<typeof payoutsApi.createPayrun>,
): Promise<Payrun> {
  const payrunId = randomUUID();
  await db.transaction().execute(async (tx) => {
    // Payruns are created one at a time, so that no two payruns deduct the same refund.
    await sql`lock table payruns in share row exclusive mode`.execute(tx);
    const { items, preview } = await planPayrun(tx, input, { isClaiming: true });
    if (input.fingerprint !== undefined && input.fingerprint !== preview.fingerprint) {
      throw refuseChanged(preview);
    }
    const { coaches, totalAmountCents } = preview;
    await claimBookings(tx, items);
    const { needsSecondAdmin } = await readSetting(tx, 'payrunControl');
    await tx
      .insertInto('payruns')
      .values({
        payrunId,
        totalAmountCents,
        currency: input.currency,
        paymentReference: input.paymentReference ?? defaultReference(payrunId),
        createdBy: admin.userId,
        needsSecondAdmin,
      })
      .execute();
    const totals = [coaches.map(({ coachId }) => coachId), coaches.map(({ amountCents }) => amountCents)];
    await sql`
      insert into payrun_recipients (payrun_id, coach_id, amount_cents, account_name, account_number_encrypted,
        sort_code_encrypted, recipient_type, bank_country, bank_details_at)
      select ${payrunId}::uuid, coach_id, total.cents, account_name, account_number_encrypted,
        sort_code_encrypted, recipient_type, bank_country, updated_at
      from coach_bank_details
      join unnest(${totals[0]}::uuid[], ${totals[1]}::bigint[]) total (coach_id, cents) using (coach_id)`.execute(
      tx,
    );
    await insertItems(tx, payrunId, items);
    await recordAudit(tx, admin, {
      action: 'payrun.created',
      subjectType: 'payrun',
      subjectId: payrunId,
      after: { totalAmountCents, bookings: preview.bookingCount, coaches: coaches.length },
    });
    if (needsSecondAdmin) await announceWaiting(tx, admin, { payrunId, totalAmountCents });
  });
  return getPayrun(db, payrunId);
}

/** Notifies the admins who can export the payrun and mark it as paid. */
async function announceWaiting(
  tx: Tx,
  admin: Person,
  payrun: { payrunId: string; totalAmountCents: number },
): Promise<void> {
  const [by, brand] = [await nameActor(tx, admin), await readBrand(tx)];
  await notifyAdmins(
    tx,
    { kind: 'payrun_waiting', subjectId: payrun.payrunId },
    {
      except: [admin.userId],
      compose: () => composePayrunWaitingMessage({ by, brand, ...payrun }),
    },
  );
}

async function claimBookings(tx: Tx, items: PayrunItem[]): Promise<void> {
  const bookingIds = items.filter(({ kind }) => kind === 'lesson').map(({ bookingId }) => bookingId);
  await sql`update bookings set is_in_payrun = true where booking_id = any(${bookingIds}::uuid[])`.execute(
    tx,
  );
}

// Passes the items as arrays, because a statement takes at most 65,535 parameters.
async function insertItems(tx: Tx, payrunId: string, items: PayrunItem[]): Promise<void> {
  await sql`
    insert into payrun_items (payrun_id, coach_id, booking_id, kind, amount_cents, refund_id)
    select ${payrunId}::uuid, item.*
    from unnest(${items.map(({ coachId }) => coachId)}::uuid[], ${items.map(({ bookingId }) => bookingId)}::uuid[],
      ${items.map(({ kind }) => kind)}::text[], ${items.map(({ amountCents }) => amountCents)}::integer[],
      ${items.map(({ refundId }) => refundId)}::uuid[]) item`.execute(tx);
}

function refuseChanged(preview: PayrunPreview): AppError {
  const { bookingCount, totalAmountCents } = preview;
  const bookings = bookingCount === 1 ? '1 booking' : `${bookingCount.toLocaleString('en-GB')} bookings`;
  return new AppError(
    'selection_changed',
    `The payrun has changed since you checked it. It would now include ${bookings} for ${formatPounds(totalAmountCents)}. Check the new total, then create the payrun.`,
    { details: { preview } },
  );
}
