import { z } from 'zod';
import { town } from '../fields.ts';
import { oneLine } from '../text.ts';
import { nations } from './nations.ts';

/**
 * A location. The server reads each field from the column of the same name (`location-columns.ts`). Bookings keep a
 * copy of all fields, made in SQL (`describe_location`). With each booking, the browser sends the location that it
 * showed. Earlier bookings and open pages lack a new field, so a new field must be `.optional()` or have a default. A
 * change to the field counts as a new location only if {@link isSameAddress} compares the field. Screens and emails
 * show the field only if `location-text.ts` includes it.
 */
export const location = z
  .object({
    locationId: z.uuid(),
    name: z.string().meta({ examples: ['Roundhay Park courts'] }),
    address: z.string().meta({ examples: ['Street Lane'] }),
    city: town,
    postcode: z.string().meta({ examples: ['LS8 1JL'] }),
    nation: z
      .enum(nations)
      .nullable()
      .optional()
      .describe(
        'As stated by the coach, because a postcode on the border can cover two nations; null if not stated.',
      ),
  })
  .meta({ id: 'Location', description: 'A location where lessons are held.' });

/** A location as a coach enters it; the postcode is stored in capitals with one space. */
export const locationInput = z.object({
  name: oneLine('Enter a name for the location.')
    .min(1, 'Enter a name for the location.')
    .max(120, "The name can't be longer than 120 characters.")
    .meta({ examples: ['Roundhay Park courts'] }),
  address: oneLine().max(300, "The address can't be longer than 300 characters.").default(''),
  city: oneLine('Enter the town.')
    .min(1, 'Enter the town.')
    .max(100, "The town can't be longer than 100 characters.")
    .meta({ examples: ['Leeds'] }),
  postcode: z
    .string()
    .trim()
    .meta({ examples: ['LS8 1JL'] })
    .transform((postcode, context) => {
      const formatted = postcode === '' ? '' : formatPostcode(postcode);
      if (formatted !== null) return formatted;
      context.addIssue({ code: 'custom', message: 'Enter the full postcode, like LS6 3AA.' });
      return z.NEVER;
    })
    .default(''),
  // Optional, so that a form that was open during an update of the product keeps the stored value.
  nation: z
    .enum(nations, 'Choose the nation.')
    .nullable()
    .optional()
    .describe('The nation, which decides the criminal record check that lessons for under-18s need.'),
});
export type LocationInput = z.input<typeof locationInput>;

/** A half-open range of text in the order of code points: `from` ≤ value < `below`. */
export type TextRange = { from: string; below: string };

/** Search ranges for a typed location: towns by lower-case name, postcodes as stored ("LS6 3AA"). */
export type LocationRanges = { city: TextRange; postcodes: [TextRange, TextRange] };

const lastCharacter = '\u{10FFFF}';
const startingWith = (prefix: string): TextRange => ({ from: prefix, below: prefix + lastCharacter });
const nothing: TextRange = { from: '', below: '' };

/**
 * Parses a location search: the beginning of a town's name, or a postcode or its beginning. "M1" is the district M1
 * and not M14; "W1" also includes W1A; "LS" is the whole area; "LS6 3" is a sector.
 */
export function parseLocationSearch(typed: string): LocationRanges {
  const bare = typed.trim().replace(/\s+/g, ' ');
  return { city: startingWith(bare.toLowerCase()), postcodes: readPostcodes(bare.toUpperCase()) };
}

function readPostcodes(typed: string): [TextRange, TextRange] {
  // Requires a digit after the area: "M" finds Manchester (M1) but not Milton Keynes (MK1).
  if (/^[A-Z]{1,2}$/.test(typed)) return [{ from: `${typed}0`, below: `${typed}:` }, nothing];
  if (/^[A-Z]{1,2}\d$/.test(typed)) {
    return [startingWith(`${typed} `), { from: `${typed}A`, below: `${typed}[` }];
  }
  if (/^[A-Z]{1,2}\d[A-Z\d]$/.test(typed)) return [startingWith(`${typed} `), nothing];
  const whole = formatPostcode(typed);
  if (whole) return [startingWith(whole), nothing];
  const sector = /^([A-Z]{1,2}\d[A-Z\d]?) (\d[A-Z]?)$/.exec(typed);
  return sector ? [startingWith(typed), nothing] : [nothing, nothing];
}

/** Formats a full UK postcode in capitals with one space ("LS6 3AA"); null if the text is not a full postcode. */
export function formatPostcode(typed: string): string | null {
  const parts = /^([A-Z]{1,2}\d[A-Z\d]?)(\d[A-Z]{2})$/.exec(typed.toUpperCase().replace(/\s+/g, ''));
  return parts ? `${parts[1]} ${parts[2]}` : null;
}

type Address = { address: string; city: string; postcode: string };

/** True if two addresses differ at most in case, spaces and punctuation; the location's name is not compared. */
export function isSameAddress(a: Address, b: Address): boolean {
  const bare = ({ address, city, postcode }: Address) =>
    [address, city, postcode].map((line) => line.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')).join(',');
  return bare(a) === bare(b);
}

type LessonLocation = Address & { locationId: string };

/** True if a lesson's location is unchanged: the same id and address; null means still to be agreed. */
export function isSameLocation(a: LessonLocation | null, b: LessonLocation | null): boolean {
  return a && b ? a.locationId === b.locationId && isSameAddress(a, b) : a === b;
}
