import { z } from 'zod';
import { openSlot } from '../catalogue/slots-contract.ts';
import { endpoint } from '../endpoint.ts';
import { nextCursor, pageFields } from '../fields.ts';
import { isoDate } from '../period.ts';
import { listedRating } from '../reviews/review.ts';
import {
  type Described,
  monthPattern,
  type SearchParam,
  type SearchParams,
  type ValueOf,
} from '../search-params.ts';
import { filters, slotSorts } from './filters.ts';

export const discoverFilters = z.object({
  ...schemasOf(filters),
  sort: z.enum(slotSorts).default('earliest').describe('The order; ties are broken by start time.'),
});
export type DiscoverFilters = z.input<typeof discoverFilters>;

export const discoverApi = {
  discoverSlots: endpoint({
    method: 'GET',
    path: '/api/slots',
    operationId: 'discover_slots',
    gate: 'public',
    summary: 'Search for lessons',
    description: 'Future lessons of active, listed coaches that have a free seat, a page at a time.',
    refusals: ['too_many_requests'],
    input: discoverFilters.extend(pageFields({ size: 20, max: 50 })),
    output: z.object({
      slots: z.array(openSlot),
      ratings: z
        .array(listedRating)
        .describe(
          'The ratings of the coaches on this page, except those without reviews. Up to ten seconds old.',
        ),
      nextCursor,
    }),
  }),
};

type SchemaOf<Param extends SearchParam> = z.ZodOptional<z.ZodType<ValueOf<Param>, ValueOf<Param>>>;

/** The fields of the input for these parameters, each of them optional. */
function schemasOf<Params extends SearchParams>(params: Params) {
  const fields = Object.entries(params).map(([name, param]) => {
    const { description, examples = [] } = param as Partial<Described<SearchParam>>;
    return [
      name,
      schemaOf(param)
        .optional()
        .meta({ description, examples: [...examples] }),
    ];
  });
  return Object.fromEntries(fields) as { [Name in keyof Params]: SchemaOf<Params[Name]> };
}

function schemaOf(param: SearchParam): z.ZodType {
  if ('of' in param) return z.enum(param.of);
  if ('maxLength' in param)
    return z.string().trim().max(param.maxLength, `Enter at most ${param.maxLength} characters.`);
  if (param.is === 'date') return isoDate;
  if (param.is === 'month') return z.string().regex(monthPattern, 'Enter the month in the format 2016-05.');
  if (param.is === 'uuid') return z.uuid('Enter the id in the format 3f2504e0-4f89-41d3-9a0c-0305e82c3301.');
  return z.literal(['true', true]).transform(() => true);
}
