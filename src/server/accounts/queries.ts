import type { Profile } from '#domain/accounts/contract.ts';
import { formerRoles } from '#server/auth/queries.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';

/** A profile without the parts that depend on this process's configuration. */
export type StoredProfile = Omit<Profile, 'isTwoStepMissing'>;

/** A person's profile as that person sees it. */
export function findProfile(db: Database | Tx, userId: string): Promise<StoredProfile | undefined> {
  return db
    .selectFrom('profiles')
    .select([
      'userId',
      'email',
      'fullName',
      'roles',
      'avatarUrl',
      'createdAt',
      'paymentMethodLastFour',
      'paymentMethodBrand',
      formerRoles.as('formerRoles'),
    ])
    .where('userId', '=', userId)
    .executeTakeFirst();
}
