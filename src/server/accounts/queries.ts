import type { Selectable } from 'kysely';
import type { Profile } from '#domain/accounts/contract.ts';
import type { Database, Tx } from '#server/platform/db.ts';
import type { Factors, Sessions, Users } from '#server/platform/db-types.ts';

export type User = Selectable<Users>;

/** An authenticator app without its secret. */
export type Factor = Pick<
  Selectable<Factors>,
  'factorId' | 'friendlyName' | 'status' | 'createdAt' | 'updatedAt'
>;

/** How the person of a session proved who they are: by a password, or by the link of a recovery mail. */
export type SignInMethod = Selectable<Sessions>['method'];

/** The person with this address, already trimmed and in lower case. */
export function findUserByEmail(db: Database | Tx, email: string): Promise<User | undefined> {
  return db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();
}

type SignInFacts = { signedInAt: string; method: SignInMethod; secondStepAt: string | null };

/** The person of a session that has not ended, and since when and by what they are signed in. */
export function findSessionUser(
  db: Database | Tx,
  sessionId: string,
): Promise<(User & SignInFacts) | undefined> {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.userId', 'sessions.userId')
    .selectAll('users')
    .select(['sessions.createdAt as signedInAt', 'sessions.method', 'sessions.secondStepAt'])
    .where('sessions.sessionId', '=', sessionId)
    .where('sessions.endedAt', 'is', null)
    .executeTakeFirst();
}

/** A person's authenticator apps, the unfinished ones too. */
export function listFactors(db: Database | Tx, userId: string): Promise<Factor[]> {
  return db
    .selectFrom('factors')
    .select(['factorId', 'friendlyName', 'status', 'createdAt', 'updatedAt'])
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .execute();
}

/** A person's profile as that person sees it. */
export function findProfile(db: Database | Tx, userId: string): Promise<Profile | undefined> {
  return db
    .selectFrom('profiles')
    .select([
      'userId',
      'email',
      'fullName',
      'roles',
      'createdAt',
      'paymentMethodLastFour',
      'paymentMethodBrand',
    ])
    .where('userId', '=', userId)
    .executeTakeFirst();
}

/** The product's name, for mails. */
export async function readBrand(db: Database | Tx): Promise<string> {
  const row = await db
    .selectFrom('siteSettings')
    .select('value')
    .where('key', '=', 'brand')
    .executeTakeFirst();
  const { name } = (row?.value ?? {}) as { name?: unknown };
  return typeof name === 'string' && name ? name : 'Touchline';
}
