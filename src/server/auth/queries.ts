import { type Selectable, sql } from 'kysely';
import type { Role } from '#domain/access.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import type { Factors, Sessions, Users } from '#server/platform/db/db-types.ts';

export type User = Selectable<Users>;

/** An authenticator app without its secret. */
export type Factor = Pick<
  Selectable<Factors>,
  'factorId' | 'friendlyName' | 'status' | 'createdAt' | 'updatedAt'
>;

/** How a session's user proved their identity: with a password, or with the link from a recovery email. */
export type SignInMethod = Selectable<Sessions>['method'];

/** Finds the person with this email address, which must be trimmed and in lower case. */
export function findUserByEmail(db: Database | Tx, email: string): Promise<User | undefined> {
  return db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();
}

/**
 * `confirmedAt`: when the person last proved their identity, with the password or with the link that opened the
 * session.
 */
export type SignInFacts = {
  signedInAt: string;
  confirmedAt: string;
  method: SignInMethod;
  secondStepAt: string | null;
};

/** Finds an active session's user, with the time and method of sign-in. */
export function findSessionUser(
  db: Database | Tx,
  sessionId: string,
): Promise<(User & SignInFacts) | undefined> {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.userId', 'sessions.userId')
    .selectAll('users')
    .select([
      'sessions.createdAt as signedInAt',
      'sessions.confirmedAt',
      'sessions.method',
      'sessions.secondStepAt',
    ])
    .where('sessions.sessionId', '=', sessionId)
    .where('sessions.endedAt', 'is', null)
    .executeTakeFirst();
}

/**
 * An account's data besides its {@link User}: authenticator apps, including unfinished ones, and a pending new address.
 */
export type AccountFacts = {
  factors: Factor[];
  /** The new email address that is waiting to be confirmed; undefined if there is none. */
  emailChange: { newEmail: string; requestedAt: string } | undefined;
};

/** Reads {@link AccountFacts}, leaving out an expired change of email address. */
export async function readAccountFacts(db: Database | Tx, userId: string): Promise<AccountFacts> {
  const { rows } = await sql<Factor & { newEmail: string | null; requestedAt: string }>`
    select factor.factor_id, factor.friendly_name, factor.status, factor.created_at, factor.updated_at,
      change.new_email, change.requested_at
    from (values (${userId}::uuid)) as person (user_id)
    left join factors factor using (user_id)
    left join email_changes change on change.user_id = person.user_id and change.expires_at > now()
    order by factor.created_at`.execute(db);
  const { newEmail, requestedAt } = rows[0]!;
  return {
    // An account without an app has one row, without a factor.
    factors: rows.filter(({ factorId }) => factorId !== null),
    emailChange: newEmail === null ? undefined : { newEmail, requestedAt },
  };
}

/** SQL for a profile's `formerRoles`. Roles that the profile still has need no look-up. */
export const formerRoles = sql<Role[]>`array_remove(array[
  case when not roles @> '{customer}' and (
    stripe_payment_method_id is not null
    or exists (select from bookings where customer_user_id = profiles.user_id)
  ) then 'customer' end,
  case when not roles @> '{coach}' and (
    exists (select from coach_bank_details where coach_id = profiles.user_id)
    or exists (select from lesson_slots join bookings using (slot_id) where coach_id = profiles.user_id)
  ) then 'coach' end
], null)`;
