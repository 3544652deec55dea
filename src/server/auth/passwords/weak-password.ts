import { findPasswordWeakness } from '#domain/auth/password-strength.ts';
import type { Database } from '#server/platform/db/db.ts';
import { readBrand } from '#server/settings/queries.ts';
import { AuthRefusal } from '../gotrue/auth-refusal.ts';
import { frequentPasswords } from './frequent-passwords.ts';

/** Throws `weak_password` for a password that others could guess; `own`: the person's name and email address. */
export async function refuseWeakPassword(
  db: Database,
  password: string,
  own: (string | null | undefined)[],
): Promise<void> {
  const known = [...own.filter((text) => typeof text === 'string'), await readBrand(db)];
  const isFrequent = (word: string) => frequentPasswords.has(word);
  const weakness = findPasswordWeakness(password, { own: known, isFrequent });
  if (weakness) throw new AuthRefusal(422, 'weak_password', weakness.message, { reasons: weakness.reasons });
}
