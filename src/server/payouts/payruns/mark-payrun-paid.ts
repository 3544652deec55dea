import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import type { ParsedInputOf } from '#domain/endpoint.ts';
import { AppError, assertAllowed } from '#domain/errors.ts';
import type { Payrun, payoutsApi } from '#domain/payouts/contract.ts';
import { refusePayrunStep } from '#domain/payouts/payruns.ts';
import { maskAccountNumber } from '#domain/payouts/rules.ts';
import { insertEntries } from '#server/bookings/ledger.ts';
import { notify } from '#server/notifications/notify.ts';
import { recipientObject } from '#server/notifications/recipients.ts';
import { composePayrunMessage } from '#server/notifications/templates/payruns.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { readBrand } from '#server/settings/queries.ts';
import { decryptBankNumbers } from '../bank-details.ts';
import { isWithheld } from '../payable.ts';
import { getPayrun, readPayrunControl } from './list-payruns.ts';
import type { PayrunItem } from './plan-payrun.ts';

type Parts = { db: Database; config: Pick<Config, 'dataKeys'> };

/**
 * Marks a payrun as paid, once. The same transaction writes the ledger entries and notifies the coaches. Throws
 * `not_found`, and `conflict` if the payrun has already been paid or cancelled, needs a different admin, or contains
 * withheld bookings. `despiteWithheld` allows withheld bookings, for a payrun that the bank has already paid.
 */
export async function markPayrunPaid(
  parts: Parts,
  admin: Person,
  { payrunId, despiteWithheld }: ParsedInputOf<typeof payoutsApi.markPayrunPaid>,
): Promise<Payrun> {
  const { db } = parts;
  await db.transaction().execute(async (tx) => {
    assertAllowed(refusePayrunStep(await readPayrunControl(tx, payrunId), admin.userId));
    const paid = await tx
      .updateTable('payruns')
      .set({ status: 'paid', paidAt: sql<string>`now()`, paidBy: admin.userId })
      .where('payrunId', '=', payrunId)
      .where('status', '=', 'pending')
      .returning(['totalAmountCents', 'paymentReference', 'exportedAt'])
      .executeTakeFirst();
    if (!paid) throw await refuseEnded(tx, payrunId);
    const withheld = await listWithheldIn(tx, payrunId);
    if (withheld.length > 0 && !despiteWithheld) {
      const which =
        withheld.length === 1
          ? 'One booking in this payrun was'
          : `${withheld.length} bookings in this payrun were`;
      const message = `${which} refunded or disputed. Cancel the payrun, or confirm that your bank has already made the payments.`;
      throw new AppError('conflict', message, { details: { bookingIds: withheld } });
    }
    await writePayout(tx, payrunId);
    await recordAudit(tx, admin, {
      action: 'payrun.paid',
      subjectType: 'payrun',
      subjectId: payrunId,
      before: { status: 'pending' },
      after: {
        status: 'paid',
        totalAmountCents: paid.totalAmountCents,
        wasExported: paid.exportedAt !== null,
        ...(withheld.length > 0 && { withheldBookings: withheld }),
      },
    });
    await notifyCoaches(tx, parts, payrunId, paid.paymentReference);
  });
  return getPayrun(db, payrunId);
}

/** The error for a payrun that can be neither paid nor cancelled, because it is no longer pending. */
export async function refuseEnded(tx: Tx, payrunId: string): Promise<AppError> {
  const { status } = await getPayrun(tx, payrunId);
  const how = status === 'paid' ? 'marked as paid' : 'cancelled';
  return new AppError('conflict', `This payrun has already been ${how}.`);
}

/**
 * Writes the ledger entries of a payout. Items with negative amounts are deductions, of which a booking can have
 * several.
 */
async function writePayout(tx: Tx, payrunId: string): Promise<void> {
  const sumOf = (kind: PayrunItem['kind']) => sql`(
    select booking_id, payrun_id, sum(amount_cents)::integer as amount_cents from payrun_items
    where payrun_id = ${payrunId}::uuid and kind = ${sql.lit(kind)} group by booking_id, payrun_id
  ) item`;
  const entry = { sourceId: sql`payrun_id` };
  await insertEntries(
    { ...entry, kind: 'paid_out', from: sumOf('lesson'), cents: sql`amount_cents` },
    { ...entry, kind: 'paid_back', from: sumOf('carried_forward'), cents: sql`-amount_cents` },
  ).execute(tx);
}

async function listWithheldIn(tx: Tx, payrunId: string): Promise<string[]> {
  const { rows } = await sql<{ bookingId: string }>`
    select booking.booking_id from payrun_items item join bookings booking using (booking_id)
    where item.payrun_id = ${payrunId}::uuid and item.kind = 'lesson' and ${isWithheld}
    order by booking.booking_id`.execute(tx);
  return rows.map(({ bookingId }) => bookingId);
}

async function notifyCoaches(
  tx: Tx,
  { config }: Parts,
  payrunId: string,
  paymentReference: string,
): Promise<void> {
  const payments = await tx
    .selectFrom('payrunRecipients as recipient')
    .innerJoin('profiles as coach', 'coach.userId', 'recipient.coachId')
    .selectAll('recipient')
    .select(recipientObject('coach').as('coach'))
    .where('payrunId', '=', payrunId)
    .execute();
  const brand = await readBrand(tx);
  for (const payment of payments) {
    const { coach, amountCents } = payment;
    const { accountNumber } = decryptBankNumbers(config.dataKeys, payment);
    await notify(
      tx,
      coach,
      { kind: 'paid_out', subjectId: payrunId, version: 'paid' },
      composePayrunMessage({
        fullName: coach.fullName,
        brand,
        amountCents,
        maskedAccountNumber: maskAccountNumber(accountNumber),
        paymentReference,
      }),
    );
  }
}
