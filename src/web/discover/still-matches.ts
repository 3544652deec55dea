import { parseLocationSearch, type TextRange } from '#domain/catalogue/location.ts';
import type { OpenSlot } from '#domain/catalogue/slots-contract.ts';
import type { Filters } from '#domain/discover/filters.ts';
import { wallTimeOf } from '#domain/time.ts';

type Lesson = Pick<OpenSlot, 'title' | 'description' | 'coachName' | 'startTime' | 'location'>;

/**
 * Whether a lesson that matched these filters as `listed` still matches them at its current time and location. The
 * server searches for words by their stems; here, a lesson matches unless a word was only in its previous location.
 */
export function stillMatches(
  slot: Lesson,
  listed: Lesson,
  { from, to, location, search = '' }: Pick<Filters, 'from' | 'to' | 'location' | 'search'>,
): boolean {
  const day = wallTimeOf(slot.startTime).date;
  if ((from && day < from) || (to && day > to)) return false;
  if (location && !isIn(slot.location, location)) return false;
  const [before, after] = [textOf(listed), textOf(slot)];
  const words = search.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return !words.some((word) => before.includes(word) && !after.includes(word));
}

function isIn(location: OpenSlot['location'], typed: string): boolean {
  if (!location) return false;
  const { city, postcodes } = parseLocationSearch(typed);
  return (
    isWithin(location.city.toLowerCase(), city) ||
    postcodes.some((range) => isWithin(location.postcode, range))
  );
}

const isWithin = (text: string, { from, below }: TextRange) => text >= from && text < below;

const textOf = ({ title, description, coachName, location }: Lesson) =>
  [title, description, coachName, location?.name, location?.address, location?.city, location?.postcode]
    .join(' ')
    .toLowerCase();
