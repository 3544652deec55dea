import type { Person } from '#domain/access.ts';
import { AppError } from '#domain/errors.ts';
import { signOut } from '#server/auth/sessions/sign-out.ts';
import { sendEmail } from '#server/notifications/notify.ts';
import { composeSignedOutMessage } from '#server/notifications/templates/account.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Database } from '#server/platform/db/db.ts';
import { readBrand } from '#server/settings/queries.ts';

/**
 * Signs a person out everywhere on behalf of an admin. If any session was open, records an audit event and emails the
 * person. The account is unchanged. Returns the number of sessions ended. Throws `conflict` if the person is the acting
 * admin and `not_found` for a person without an account.
 */
export function endSessionsOf(db: Database, admin: Person, userId: string): Promise<number> {
  if (userId === admin.userId) {
    throw new AppError('conflict', 'You can sign yourself out everywhere on your account page.');
  }
  return db.transaction().execute(async (tx) => {
    const user = await tx.selectFrom('users').select('email').where('userId', '=', userId).executeTakeFirst();
    if (!user) throw new AppError('not_found', 'Person not found.');
    const ended = await signOut(tx, { userId, sessionId: admin.sessionId }, 'global');
    if (ended === 0) return 0;
    await recordAudit(tx, admin, {
      action: 'sessions.ended',
      subjectType: 'profile',
      subjectId: userId,
      before: { browsers: ended },
      after: { browsers: 0 },
    });
    await sendEmail(tx, user.email, composeSignedOutMessage({ brand: await readBrand(tx) }));
    return ended;
  });
}
