import { type ExpressionBuilder, type ExpressionWrapper, type SqlBool, sql } from 'kysely';
import type { Tx } from '#server/platform/db/db.ts';
import type { DB } from '#server/platform/db/db-types.ts';

/** The characters that end a word, as in the database function `word_starts`. */
const wordEnds = /[ -/:-@[-`{-~]+/;

/**
 * Matches people whose name or email address contains a text. The search uses an index even for a short text:
 * if all words of the text are shorter than the three letters of a trigram ("jo", "j d"), it matches people
 * whose name, or whose address before the @, has words that begin with the words of the text. A text without
 * words matches nobody.
 */
export function matchesSearch(
  search: string,
): (is: ExpressionBuilder<DB, 'profiles'>) => ExpressionWrapper<DB, 'profiles', SqlBool> {
  const words = search.split(wordEnds).filter(Boolean);
  const pattern = containing(search);
  if (words.some((word) => [...word].length >= 3)) {
    return (is) => is.or([is('fullName', 'ilike', pattern), is('email', 'ilike', pattern)]);
  }
  const starts = sql.join(words.map((word) => sql`lower(${word}::text)`));
  return (is) =>
    words.length === 0
      ? is.and([is.lit(false)])
      : is.and([
          sql<boolean>`word_starts(full_name || ' ' || split_part(email, '@', 1)) @> array[${starts}]`,
        ]);
}

/**
 * Makes PostgreSQL plan this transaction's statements for their actual values. Whether the word index or the index by
 * creation time is faster for a search depends on the number of people who match.
 */
export async function planForValues(tx: Tx): Promise<void> {
  await sql`set local plan_cache_mode = force_custom_plan`.execute(tx);
}

/** The `ilike` pattern that finds a text in any position. Wildcards in the text are escaped. */
function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
