import { sql } from 'kysely';
import { sendEmail } from '#server/notifications/notify.ts';
import {
  composeAddressTakenMessage,
  composeConfirmNewAddressMessage,
  composeConfirmOldAddressMessage,
  composeEmailChangedMessage,
} from '#server/notifications/templates/email-change.ts';
import { recordAudit } from '#server/platform/audit.ts';
import { type Database, isViolation, type Tx } from '#server/platform/db/db.ts';
import { enqueue } from '#server/platform/jobs/enqueue.ts';
import { readBrand } from '#server/settings/queries.ts';
import { AuthRefusal } from './gotrue/auth-refusal.ts';
import { findUserByEmail } from './queries.ts';
import { generateToken, hashToken } from './sessions/open-session.ts';

/**
 * Records a request for a new email address, replacing any earlier request. A job emails both addresses, so that
 * neither the response nor its timing reveals anything about the new address.
 */
export async function requestEmailChange(db: Database, userId: string, newEmail: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx.deleteFrom('emailChanges').where('userId', '=', userId).execute();
    await tx.insertInto('emailChanges').values({ userId, newEmail }).execute();
    await enqueue(tx, 'auth.email-change-requested', { userId, newEmail });
  });
}

/** Cancels a pending change of address; does nothing if there is none. */
export async function cancelEmailChange(db: Database, userId: string): Promise<void> {
  await db.deleteFrom('emailChanges').where('userId', '=', userId).execute();
}

/**
 * Emails a link to an account's current address and another to the new address. If the new address is the
 * confirmed address of another account, it gets a notice instead of a link, so the change never completes.
 * Does nothing if the request has been cancelled or replaced.
 */
export async function emailEmailChange(
  db: Database,
  { userId, newEmail }: { userId: string; newEmail: string },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const [currentToken, newToken] = [generateToken(), generateToken()];
    const change = await tx
      .updateTable('emailChanges')
      .set({ currentTokenHash: hashToken(currentToken), newTokenHash: hashToken(newToken) })
      .where('userId', '=', userId)
      .where('newEmail', '=', newEmail)
      .where('currentTokenHash', 'is', null)
      .returning('newEmail')
      .executeTakeFirst();
    if (!change) return;
    const user = await tx
      .selectFrom('users')
      .select('email')
      .where('userId', '=', userId)
      .executeTakeFirstOrThrow();
    const brand = await readBrand(tx);
    const pathOf = (token: string) => `/email-change?token=${token}`;
    await sendEmail(
      tx,
      user.email,
      composeConfirmOldAddressMessage({ newEmail, path: pathOf(currentToken), brand }),
    );
    const owner = await findUserByEmail(tx, newEmail);
    await sendEmail(
      tx,
      newEmail,
      owner?.emailConfirmedAt
        ? composeAddressTakenMessage({ brand })
        : composeConfirmNewAddressMessage({ path: pathOf(newToken), brand }),
    );
  });
}

/**
 * Accepts the link from one of the two emails. When both links have been accepted, the account's address changes, links
 * emailed to the old address stop working and both addresses are notified. Throws `otp_expired` for an unknown or
 * expired link, and `email_exists` if another account has taken the new address in the meantime.
 */
export async function confirmEmailChange(db: Database, token: string): Promise<'waiting' | 'changed'> {
  const tokenHash = hashToken(token);
  const changed = db.transaction().execute(async (tx) => {
    const now = sql<string>`now()`;
    const change = await tx
      .selectFrom('emailChanges')
      .selectAll()
      .where((is) => is.or([is('currentTokenHash', '=', tokenHash), is('newTokenHash', '=', tokenHash)]))
      .where('expiresAt', '>', now)
      .forUpdate()
      .executeTakeFirst();
    if (!change) {
      throw new AuthRefusal(
        403,
        'otp_expired',
        'This link has expired, has already been used or is for a change you cancelled. You can ask for the change again on your account page.',
      );
    }
    const isCurrent = change.currentTokenHash?.equals(tokenHash);
    const isOtherConfirmed = isCurrent ? change.newConfirmedAt : change.currentConfirmedAt;
    if (!isOtherConfirmed) {
      await tx
        .updateTable('emailChanges')
        .set(isCurrent ? { currentConfirmedAt: now } : { newConfirmedAt: now })
        .where('userId', '=', change.userId)
        .execute();
      return 'waiting' as const;
    }
    await moveAccount(tx, change);
    return 'changed' as const;
  });
  return changed.catch((error) => {
    if (isViolation(error, 'users_email_unique')) throw refuseTaken();
    throw error;
  });
}

const refuseTaken = () =>
  new AuthRefusal(422, 'email_exists', 'This email address now belongs to another account.');

async function moveAccount(
  tx: Tx,
  { userId, newEmail }: { userId: string; newEmail: string },
): Promise<void> {
  const before = await tx
    .selectFrom('users')
    .select('email')
    .where('userId', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  // An unconfirmed sign-up does not block the change: this person has just confirmed the address.
  await tx
    .deleteFrom('users')
    .where('email', '=', newEmail)
    .where('emailConfirmedAt', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('profiles').select('profiles.userId').whereRef('profiles.userId', '=', 'users.userId'),
        ),
      ),
    )
    .execute();
  const now = sql<string>`now()`;
  await tx
    .updateTable('users')
    .set({ email: newEmail, emailConfirmedAt: now, updatedAt: now })
    .where('userId', '=', userId)
    .execute();
  await tx.updateTable('profiles').set({ email: newEmail }).where('userId', '=', userId).execute();
  await tx.deleteFrom('emailChanges').where('userId', '=', userId).execute();
  await tx
    .updateTable('oneTimeTokens')
    .set({ usedAt: now })
    .where('userId', '=', userId)
    .where('usedAt', 'is', null)
    .execute();
  await recordAudit(tx, { userId }, { action: 'email.changed', subjectType: 'profile', subjectId: userId });
  const brand = await readBrand(tx);
  for (const email of [before.email, newEmail]) {
    await sendEmail(tx, email, composeEmailChangedMessage({ newEmail, brand }));
  }
}
