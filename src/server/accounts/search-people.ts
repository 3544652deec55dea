import { type ExpressionBuilder, type ExpressionWrapper, type SqlBool, sql } from 'kysely';
import type { Tx } from '#server/platform/db/db.ts';
import type { DB } from '#server/platform/db/db-types.ts';

/** The characters that `word_starts` in the database treats as the end of a word. */
const wordEnds = /[ -/:-@[-`{-~]+/;

/**
 * Matches people whose name or email address contains a text, using an index however short the text is. If no word of
 * the text has the three letters that a trigram needs, matches people with words in their name or address that begin
 * with the words of the text: "jo", "j d".
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
 * Makes PostgreSQL plan this transaction's statements for their actual values: whether the word index or the index by
 * age is faster for a search depends on how many people match.
 */
export async function planForValues(tx: Tx): Promise<void> {
  await sql`set local plan_cache_mode = force_custom_plan`.execute(tx);
}

/** The `ilike` pattern for a text in any position, with its own wildcards escaped. */
function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
