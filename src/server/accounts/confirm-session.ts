import { sql } from 'kysely';
import { AppError } from '#domain/errors.ts';
import type { Database, Tx } from '#server/platform/db.ts';
import { AuthRefusal } from './auth-refusal.ts';
import { isPasswordRight } from './password-hash.ts';
import type { SignInFacts, User } from './queries.ts';

/** Minutes in which a session may do what could lock its person out; a browser left open is not enough. */
const confirmedMinutes = { password: 15, recovery: 60 };

/**
 * Whether the person of a session proved who they are a short while ago: by the password, or, where `methods`
 * says so, by the link of a recovery mail.
 */
export function isConfirmed(
  { confirmedAt, method }: Pick<SignInFacts, 'confirmedAt' | 'method'>,
  methods: SignInFacts['method'][] = ['password'],
): boolean {
  const isRecent = Date.now() - Date.parse(confirmedAt) < confirmedMinutes[method] * 60_000;
  return methods.includes(method) && isRecent;
}

/** Takes the current password as a proof that holds for a while. Throws `invalid_credentials` for another one. */
export async function confirmSession(
  db: Database,
  { user, sessionId, password }: { user: User; sessionId: string; password: string },
): Promise<void> {
  if (!(await isPasswordRight(user.passwordHash, password, user.userId))) {
    throw new AuthRefusal(400, 'invalid_credentials', 'This is not your current password.');
  }
  await db
    .updateTable('sessions')
    .set({ confirmedAt: sql<string>`now()`, method: 'password' })
    .where('sessionId', '=', sessionId)
    .where('endedAt', 'is', null)
    .execute();
}

/** Throws `confirmation_required` unless the password was given in this session a short while ago. */
export async function insistConfirmed(tx: Database | Tx, sessionId: string): Promise<void> {
  const session = await tx
    .selectFrom('sessions')
    .select(['confirmedAt', 'method'])
    .where('sessionId', '=', sessionId)
    .where('endedAt', 'is', null)
    .executeTakeFirst();
  if (!session || !isConfirmed(session)) {
    throw new AppError('confirmation_required', 'Please enter your password once more to do this.');
  }
}
