import { type ExpressionBuilder, type ExpressionWrapper, type SqlBool, sql } from 'kysely';
import type { Tx } from '#server/platform/db/db.ts';
import type { DB } from '#server/platform/db/db-types.ts';

/** What `word_starts` of the database takes for the end of a word. */
const wordEnds = /[ -/:-@[-`{-~]+/;

/**
 * Whose name or address contains a text, looked up in an index however short the text is. Where no word of it has
 * three letters, which trigrams need, people fit who have words in name or address that begin like that: "jo", "j d".
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
 * For searches: whether an index of words or the order of age is the quicker way hangs on how many fit what was
 * typed, so statements of this transaction are planned for their own values.
 */
export async function planForValues(tx: Tx): Promise<void> {
  await sql`set local plan_cache_mode = force_custom_plan`.execute(tx);
}

/** The pattern of `ilike` for a text that stands anywhere, its own wildcards meant literally. */
function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
