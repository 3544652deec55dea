import { z } from 'zod';
import { sportSlugs } from './sports.ts';

// Fields that several contracts share, with descriptions and examples for the API's documentation.

/** An instant, which is always in UTC in responses. */
export const instant = z.string().meta({ format: 'date-time' });

/** An amount of money, in minor units. */
export const cents = z
  .number()
  .int()
  .meta({ description: 'In minor units (pence).', examples: [4500] });

/** A number of items in a response. */
export const count = z
  .number()
  .int()
  .meta({ examples: [3] });

export const personName = z.string().meta({ examples: ['Alex Morgan'] });
/** The last segment of the URL of a coach's page. */
export const coachAddress = z
  .string()
  .meta({ examples: ['alex-morgan'] })
  .nullable()
  .describe("The last segment of the URL of the coach's page; null for an account that has been deleted.");
export const emailAddress = z.string().meta({ format: 'email' });

export const noEmail = 'Enter an email address, like name@example.org.';

/** An email address that someone enters, in lower case. */
export const enteredEmail = z
  .string(noEmail)
  .trim()
  .toLowerCase()
  .max(254, noEmail)
  .pipe(z.email(noEmail))
  .meta({ examples: ['alex@example.org'] });

export const lessonTitle = z.string().meta({ examples: ['Tennis for beginners'] });
export const lessonDescription = z.string().meta({ examples: ['Grip, stance and first rallies.'] });
export const businessName = z.string().meta({ examples: ['Leeds Tennis School'] });
export const town = z.string().meta({ examples: ['Leeds'] });

export const sport = z.enum(sportSlugs).meta({ id: 'Sport' });

export const cardBrand = z.string().meta({ description: 'In lower case.', examples: ['visa'] });
export const lastFour = z.string().meta({ description: 'The last four digits.', examples: ['4242'] });

/**
 * A file in a response: its name and its text. `writeCsv` (server/platform/csv.ts) creates it and `ExportButton`
 * (web/app/api/csv-download.tsx) downloads it.
 */
export const csvFile = {
  fileName: z.string().meta({ examples: ['payments-2027-03-28.csv'] }),
  csv: z
    .string()
    .meta({ description: 'The text of the file.', examples: ['Date,Amount\n2027-03-28,45.00\n'] }),
};

/** The two input fields for reading a list a page at a time; see {@link pageSize}. */
export const pageFields = ({ size, max }: { size: number; max: number }) => ({
  cursor: z
    .string()
    .max(200)
    .optional()
    .meta({
      description: 'The `nextCursor` of the previous page; leave it out for the first page.',
      examples: ['c1'],
    }),
  limit: pageSize({ size, max }),
});

/** How many entries a page has: `size` unless the caller asks for another number, up to `max`. */
export const pageSize = ({ size, max }: { size: number; max: number }) =>
  z.coerce.number().int().min(1).max(max).default(size).describe('The maximum number of entries to return.');

export const nextCursor = z
  .string()
  .nullable()
  .meta({ description: 'The `cursor` of the next page; null at the end of the list.', examples: ['c2'] });
