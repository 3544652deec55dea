import { AppError } from '#domain/errors.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import type { SignInFacts } from '../queries.ts';

/**
 * Minutes for which a proof of identity lets a session make changes that could lock the account's owner out. After that
 * time, access to an unattended browser is not enough.
 */
const confirmedMinutes = { password: 15, recovery: 60 };

/** SQL: whether the user of session `s` recently proved their identity with a password or an authenticator app. */
export const isRecentlyAuthenticatedSql = `coalesce(
    greatest(case when s.method = 'password' then s.confirmed_at end, s.second_step_at)
      > now() - interval '${confirmedMinutes.password} minutes', false)`;

/**
 * Whether the person recently proved their identity by one of these methods: with the password, or with the link from a
 * recovery email.
 */
export function isConfirmed(
  { confirmedAt, method }: Pick<SignInFacts, 'confirmedAt' | 'method'>,
  methods: SignInFacts['method'][] = ['password'],
): boolean {
  const isRecent = Date.now() - Date.parse(confirmedAt) < confirmedMinutes[method] * 60_000;
  return methods.includes(method) && isRecent;
}

/** Throws `confirmation_required` unless the password was recently entered in this session. */
export async function assertConfirmed(tx: Database | Tx, sessionId: string): Promise<void> {
  const session = await tx
    .selectFrom('sessions')
    .select(['confirmedAt', 'method'])
    .where('sessionId', '=', sessionId)
    .where('endedAt', 'is', null)
    .executeTakeFirst();
  if (!session || !isConfirmed(session)) {
    throw new AppError('confirmation_required', 'To do this, please enter your password again.');
  }
}
