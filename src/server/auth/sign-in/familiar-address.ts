import { sql } from 'kysely';
import type { Database } from '#server/platform/db/db.ts';
import { keyOfAddress } from '#server/platform/http/rate-limit.ts';
import type { User } from '../queries.ts';

/**
 * Finds the person with this email address, which must be trimmed and in lower case. `isFamiliar`: whether a sign-in to
 * the account was completed from this IP address (for IPv6, this network) in the last 90 days, including the code if
 * one was required.
 */
export async function findSignIn(
  db: Database,
  email: string,
  ipAddress: string,
): Promise<{ user: User | undefined; isFamiliar: boolean }> {
  const { rows } = await sql<User & { addresses: (string | null)[] }>`
    select users.*, array(
      select distinct ip_address from sessions
      where sessions.user_id = users.user_id and created_at > now() - interval '90 days'
        and (second_step_at is not null or not exists (
          select from factors where factors.user_id = users.user_id and factors.status = 'verified'))
      limit 200) as addresses
    from users where email = ${email}`.execute(db);
  if (!rows[0]) return { user: undefined, isFamiliar: false };
  const { addresses, ...user } = rows[0];
  const network = keyOfAddress('', ipAddress);
  return { user, isFamiliar: addresses.some((address) => keyOfAddress('', address ?? '') === network) };
}
