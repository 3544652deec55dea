import type { Actor } from '#domain/access.ts';
import { sendEmail } from '#server/notifications/notify.ts';
import { composeTwoStepResetMessage } from '#server/notifications/templates/sign-in.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Database } from '#server/platform/db/db.ts';
import { readBrand } from '#server/settings/queries.ts';
import type { User } from '../queries.ts';
import { signOut } from '../sessions/sign-out.ts';

/**
 * Switches two-step sign-in off for a person who has lost both the app and the recovery codes: ends every session,
 * emails the person and audits the change. Returns false, without any change, if two-step sign-in is already off.
 */
export function resetTwoStep(
  db: Database,
  actor: Actor,
  { userId, email }: Pick<User, 'userId' | 'email'>,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const removed = await tx
      .deleteFrom('factors')
      .where('userId', '=', userId)
      .where('status', '=', 'verified')
      .returning('factorId')
      .execute();
    if (removed.length === 0) return false;
    await tx.deleteFrom('recoveryCodes').where('userId', '=', userId).execute();
    const ended = await signOut(tx, { userId, sessionId: '' }, 'global');
    await recordAudit(tx, actor, {
      action: 'two_step.reset',
      subjectType: 'profile',
      subjectId: userId,
      after: { browsersSignedOut: ended },
    });
    await sendEmail(tx, email, composeTwoStepResetMessage({ brand: await readBrand(tx) }));
    return true;
  });
}
