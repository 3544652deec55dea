import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import { AppError } from '#domain/errors.ts';
import { sendEmail } from '#server/notifications/notify.ts';
import {
  composeRecoveryCodesMessage,
  composeRecoveryCodeUsedMessage,
} from '#server/notifications/templates/account.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { readBrand } from '#server/settings/queries.ts';
import { assertConfirmed } from '../sessions/confirm-session.ts';
import { takeTotpCode } from './factors.ts';

type Parts = { db: Database; config: Pick<Config, 'dataKeys'> };

const codeCount = 10;
// Crockford's base 32, in which no two characters are easily confused. 24 characters have 120 random bits, and a plain
// hash is enough for 112 bits or more (OWASP ASVS 5.0, 6.5.2).
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const codeLength = 24;

/** Generates a code as it is shown to the person: six groups of four characters. */
function generateCode(): string {
  const code = [...randomBytes(codeLength)].map((byte) => alphabet[byte % alphabet.length]).join('');
  return code.match(/.{4}/g)!.join('-');
}

/** Returns a typed code in the normalised form that is hashed, or null if the text cannot be a recovery code. */
export function readRecoveryCode(typed: string): string | null {
  const bare = typed.toLowerCase().replace(/[\s-]/g, '').replaceAll('o', '0').replace(/[il]/g, '1');
  return bare.length === codeLength && [...bare].every((sign) => alphabet.includes(sign)) ? bare : null;
}

const hashCode = (userId: string, code: string): Buffer =>
  createHash('sha256')
    .update(`${userId}:${readRecoveryCode(code)}`)
    .digest();

/** The number of unused codes, and when the codes were created: null if the account has no codes, used or unused. */
export async function countRecoveryCodes(
  db: Database | Tx,
  userId: string,
): Promise<{ left: number; madeAt: string | null }> {
  return db
    .selectFrom('recoveryCodes')
    .select((of) => [
      of.fn.countAll<number>().filterWhere('usedAt', 'is', null).as('left'),
      of.fn.max('createdAt').as('madeAt'),
    ])
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow();
}

/**
 * Creates ten codes, which replace all earlier codes, and emails the person. Requires the app's code, except for the
 * first codes within 15 minutes of setting the app up. Throws `conflict` without an app, `unprocessable` for a wrong or
 * missing code, and `confirmation_required` if the password was not entered recently.
 */
export function makeRecoveryCodes(
  { db, config }: Parts,
  { userId, sessionId }: Person,
  code: string | undefined,
): Promise<string[]> {
  return db.transaction().execute(async (tx) => {
    await assertConfirmed(tx, sessionId);
    const factor = await tx
      .selectFrom('factors')
      .selectAll()
      .where('userId', '=', userId)
      .where('status', '=', 'verified')
      .forUpdate()
      .executeTakeFirst();
    if (!factor) throw new AppError('conflict', 'Switch two-step sign-in on first.');
    const { madeAt } = await countRecoveryCodes(tx, userId);
    const isRight = code ? await takeTotpCode(tx, config, factor, code) : !madeAt && isJustSetUp(factor);
    if (!isRight) {
      const message = code
        ? "That code doesn't match. Please enter the one your app shows now."
        : 'Please enter the code your authenticator app shows.';
      throw new AppError('unprocessable', message, { fields: { code: message } });
    }
    const codes = Array.from({ length: codeCount }, generateCode);
    await tx.deleteFrom('recoveryCodes').where('userId', '=', userId).execute();
    await tx
      .insertInto('recoveryCodes')
      .values(codes.map((each) => ({ userId, codeHash: hashCode(userId, each) })))
      .execute();
    await recordAudit(
      tx,
      { userId },
      { action: 'recovery_codes.made', subjectType: 'profile', subjectId: userId },
    );
    const { email, brand } = await readOwner(tx, userId);
    await sendEmail(tx, email, composeRecoveryCodesMessage({ brand, isFirst: !madeAt }));
    return codes;
  });
}

// Setting up the app already required a code, so creating its first recovery codes does not require another code.
const isJustSetUp = ({ updatedAt }: { updatedAt: string }) =>
  Date.now() - Date.parse(updatedAt) < 15 * 60_000;

/** Uses up a recovery code instead of the app's code and emails the person; false for an unknown or used code. */
export async function spendRecoveryCode(
  tx: Tx,
  { userId, code }: { userId: string; code: string },
): Promise<boolean> {
  const spent = await tx
    .updateTable('recoveryCodes')
    .set({ usedAt: sql<string>`now()` })
    .where('codeHash', '=', hashCode(userId, code))
    .where('userId', '=', userId)
    .where('usedAt', 'is', null)
    .returning('userId')
    .executeTakeFirst();
  if (!spent) return false;
  await recordAudit(
    tx,
    { userId },
    { action: 'recovery_code.used', subjectType: 'profile', subjectId: userId },
  );
  const { left } = await countRecoveryCodes(tx, userId);
  const { email, brand } = await readOwner(tx, userId);
  await sendEmail(tx, email, composeRecoveryCodeUsedMessage({ brand, left }));
  return true;
}

/** The data common to all messages about recovery codes: the recipient's address and the brand. */
async function readOwner(tx: Tx, userId: string) {
  const { email } = await tx
    .selectFrom('users')
    .select('email')
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow();
  return { email, brand: await readBrand(tx) };
}
