import { countedAge, hasAgeRange, isWithinAges } from '#domain/catalogue/ages.ts';
import { parseLocationSearch, type TextRange } from '#domain/catalogue/location.ts';
import type { OpenSlot } from '#domain/catalogue/slots-contract.ts';
import { type Filters, filterNames, type OtherFilterName } from '#domain/discover/filters.ts';
import { wallTimeOf } from '#domain/time.ts';
import { choiceOf } from './discover-search.ts';

/** Marks a filter whose result a new time or location can't change. */
const unaffected = 'unaffected';

type Match<Value> = (value: Value, slot: OpenSlot, listed: OpenSlot) => boolean;

/** Whether a moved lesson matches each filter that isn't chosen from a list. */
const otherMatches: { [Name in OtherFilterName]: Match<NonNullable<Filters[Name]>> | typeof unaffected } = {
  search: matchesSearch,
  location: (location, slot) => isIn(slot.location, location),
  // Like the server's condition, this compares months, so any day of the month will do.
  born: (month, slot) => !hasAgeRange(slot) || isWithinAges(countedAge(`${month}-01`, slot), slot),
  coachId: unaffected,
  from: (from, slot) => dateOf(slot) >= from,
  to: (to, slot) => dateOf(slot) <= to,
};

/** Whether a lesson that matched these filters as `listed` still matches them at its current time and location. */
export const stillMatches = (slot: OpenSlot, listed: OpenSlot, filters: Filters): boolean =>
  filterNames.every((name) => {
    const value = filters[name];
    if (!value) return true;
    const choice = choiceOf(name);
    if (choice) return choice.valueOf(slot) === value;
    const match = otherMatches[name as OtherFilterName];
    return match === unaffected || (match as Match<string>)(value, slot, listed);
  });

const dateOf = ({ startTime }: OpenSlot) => wallTimeOf(startTime).date;

/**
 * The server searches for words by their stems; here, a lesson matches unless a word was only in its previous location.
 */
function matchesSearch(search: string, slot: OpenSlot, listed: OpenSlot): boolean {
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

const textOf = ({ title, description, coachName, location }: OpenSlot) =>
  [title, description, coachName, location?.name, location?.address, location?.city, location?.postcode]
    .join(' ')
    .toLowerCase();
