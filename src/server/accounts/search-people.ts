import { type ExpressionBuilder, type ExpressionWrapper, type SqlBool, sql } from 'kysely';
import type { Tx } from '#server/platform/db/db.ts';
import type { DB } from '#server/platform/db/db-types.ts';

/** The characters that `word_starts` in the database treats as the end of a word. */
const wordEnds = /[ -/:-@[-`{-~]+/;

/**
 * Matches people whose name or email address contains a text, through an index however short the text is. If none of
 * its words has the three letters that trigrams need, it matches people whose name or address has words that begin with
 * them: "jo", "j d".
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
 * For searches: whether the word index or the index by age is faster depends on how many people match, so this
 * transaction's statements are planned for their actual values.
 */
export async function planForValues(tx: Tx): Promise<void> {
  await sql`set local plan_cache_mode = force_custom_plan`.execute(tx);
}

/** The `ilike` pattern for a text in any position, with its own wildcards escaped. */
function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
