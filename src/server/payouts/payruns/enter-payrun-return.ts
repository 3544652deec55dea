import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import type { ParsedInputOf } from '#domain/endpoint.ts';
import { AppError, assertAllowed } from '#domain/errors.ts';
import type { Payrun } from '#domain/payouts/contract.ts';
import type { payrunApi } from '#domain/payouts/payrun-contract.ts';
import { refuseReturn } from '#domain/payouts/payruns.ts';
import { maskAccountNumber } from '#domain/payouts/rules.ts';
import { nameActor, notifyAdmins } from '#server/accounts/notify-admins.ts';
import { insertEntries } from '#server/bookings/ledger.ts';
import { notify } from '#server/notifications/notify.ts';
import { readRecipient } from '#server/notifications/recipients.ts';
import {
  composePayrunReturnedMessage,
  composeReturnedPayoutMessage,
} from '#server/notifications/templates/returned-payouts.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { readBrand } from '#server/settings/queries.ts';
import { decryptBankNumbers } from '../bank-details.ts';
import { dueForBooking } from '../payable.ts';
import { getPayrun } from './list-payruns.ts';

type Parts = { db: Database; config: Pick<Config, 'dataKeys'> };
type Return = ParsedInputOf<typeof payrunApi.enterReturn>;

/**
 * Records that the bank refused or returned a coach's payment in a paid payrun. The same transaction reverses its
 * ledger entries, makes its bookings payable again and its deductions owed again, and notifies the coach and all admins
 * (docs/decisions/0093). Throws `not_found`, and `conflict` if the payrun is not paid or this payment has already
 * been marked as returned.
 */
export async function enterPayrunReturn(parts: Parts, admin: Person, returned: Return): Promise<Payrun> {
  const { payrunId, coachId, reason } = returned;
  await parts.db.transaction().execute(async (tx) => {
    // No payrun may plan deductions for these bookings at the same time.
    await sql`lock table payruns in row exclusive mode`.execute(tx);
    const recipient = await readPayment(tx, returned);
    assertAllowed(refuseReturn(recipient.status));
    await sql`
      select from bookings where booking_id in (
        select booking_id from payrun_items where payrun_id = ${payrunId}::uuid and coach_id = ${coachId}::uuid)
      order by booking_id for update`.execute(tx);
    // The database cancels the items with the return.
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('payrunReturns')
      .values({ payrunId, coachId, reason, enteredBy: admin.userId })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows === 0n) {
      throw new AppError('conflict', 'This payment has already been marked as returned.');
    }
    await reverse(tx, returned);
    await recordAudit(tx, admin, {
      action: 'payrun.payment-returned',
      subjectType: 'payrun',
      subjectId: payrunId,
      after: { coachId, amountCents: recipient.amountCents, reason },
    });
    await notifyEveryone(tx, parts, admin, { ...returned, ...recipient });
  });
  return getPayrun(parts.db, payrunId);
}

async function readPayment(tx: Tx, { payrunId, coachId }: Return) {
  const payment = await tx
    .selectFrom('payrunRecipients as recipient')
    .innerJoin('payruns as payrun', 'payrun.payrunId', 'recipient.payrunId')
    .select(['payrun.status', 'payrun.paymentReference', 'recipient.amountCents', 'recipient.coachId'])
    .select(['recipient.accountNumberEncrypted', 'recipient.sortCodeEncrypted'])
    .where('recipient.payrunId', '=', payrunId)
    .where('recipient.coachId', '=', coachId)
    .executeTakeFirst();
  if (!payment) throw new AppError('not_found', 'This payrun has no payment to this coach.');
  return payment;
}

/** Reverses the ledger entries of the payment and makes its bookings available to other payruns. */
async function reverse(tx: Tx, { payrunId, coachId }: Return): Promise<void> {
  const sumOf = (kind: 'lesson' | 'carried_forward') => sql`(
    select booking_id, payrun_id, sum(amount_cents)::integer as amount_cents from payrun_items
    where payrun_id = ${payrunId}::uuid and coach_id = ${coachId}::uuid and kind = ${sql.lit(kind)}
    group by booking_id, payrun_id
  ) item`;
  const entry = { sourceId: sql`payrun_id` };
  await insertEntries(
    { ...entry, kind: 'payout_returned', from: sumOf('lesson'), cents: sql`amount_cents` },
    { ...entry, kind: 'deduction_returned', from: sumOf('carried_forward'), cents: sql`-amount_cents` },
  ).execute(tx);
  await sql`
    update bookings set is_in_payrun = false, is_owed = found.is_owed
    from (
      select booking.booking_id, due.cents > 0 as is_owed
      from payrun_items item
      join bookings booking using (booking_id)
      cross join lateral ${dueForBooking} due
      where item.payrun_id = ${payrunId}::uuid and item.coach_id = ${coachId}::uuid and item.kind = 'lesson'
    ) found
    where bookings.booking_id = found.booking_id`.execute(tx);
}

async function notifyEveryone(
  tx: Tx,
  { config }: Parts,
  admin: Person,
  payment: Return & Awaited<ReturnType<typeof readPayment>>,
): Promise<void> {
  const { payrunId, coachId, reason, amountCents, paymentReference } = payment;
  const { accountNumber } = decryptBankNumbers(config.dataKeys, payment);
  const coach = await readRecipient(tx, coachId);
  const facts = { amountCents, paymentReference, reason };
  await notify(
    tx,
    coach,
    { kind: 'payout_returned', subjectId: payrunId },
    composeReturnedPayoutMessage({
      ...facts,
      fullName: coach.fullName,
      brand: await readBrand(tx),
      maskedAccountNumber: maskAccountNumber(accountNumber),
    }),
  );
  const by = await nameActor(tx, admin);
  await notifyAdmins(
    tx,
    { kind: 'payrun_returned', subjectId: payrunId, version: coachId },
    {
      compose: ({ fullName }) =>
        composePayrunReturnedMessage({ ...facts, fullName, by, payrunId, coachName: coach.fullName }),
    },
  );
}
