import { sql } from 'kysely';
import type { Role } from '#domain/access.ts';
import { hashPassword } from '#server/auth/passwords/password-hash.ts';
import type { Database } from '#server/platform/db/db.ts';
import { createProfile } from './create-profile.ts';

/**
 * Creates a person with a profile and sends no email, for tests and benchmarks. For a coach, also creates the row in
 * `coaches` that granting the role would create. `email` is in lower case. Pass `passwordHash` instead of `password` to
 * hash a password only once for many people. Throws if the address is taken.
 */
export async function createUser({
  db,
  email,
  fullName,
  roles,
  isConfirmed,
  ...secret
}: {
  db: Database;
  email: string;
  fullName: string;
  roles: Role[];
  isConfirmed: boolean;
} & ({ password: string } | { passwordHash: string })): Promise<{ userId: string }> {
  const passwordHash =
    'passwordHash' in secret ? secret.passwordHash : await hashPassword(secret.password, secret.password);
  return db.transaction().execute(async (tx) => {
    const { userId } = await tx
      .insertInto('users')
      .values({
        email,
        fullName,
        passwordHash,
        emailConfirmedAt: isConfirmed ? sql<string>`now()` : null,
      })
      .returning('userId')
      .executeTakeFirstOrThrow();
    await createProfile(tx, userId, { roles });
    if (roles.includes('coach')) await tx.insertInto('coaches').values({ coachId: userId }).execute();
    return { userId };
  });
}
