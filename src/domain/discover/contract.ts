import { z } from 'zod';
import { lessonType, openSlot, sport } from '../catalogue/contract.ts';
import { endpoint } from '../endpoint.ts';
import { isoDate } from '../period.ts';

/** Sort orders of discover. Each breaks ties by start and then id, so that no page repeats a slot. */
export const slotSorts = ['earliest', 'price_low', 'price_high'] as const;

/** The filters of discover, as in the address bar. Dates are London calendar dates, inclusive. */
export const discoverFilters = z.object({
  search: z.string().trim().max(100, 'Search for at most 100 characters.').optional(),
  type: lessonType.optional(),
  sort: z.enum(slotSorts).default('earliest'),
  coachId: z.uuid("This link doesn't name a coach.").optional(),
  sport: sport.optional(),
  /** A town, or a postcode or the beginning of one ("LS6"). */
  location: z.string().trim().max(60, 'Enter a town or postcode of at most 60 characters.').optional(),
  from: isoDate.optional(),
  to: isoDate.optional(),
});
export type DiscoverFilters = z.input<typeof discoverFilters>;

export const discoverApi = {
  discoverSlots: endpoint({
    method: 'GET',
    path: '/api/slots',
    operationId: 'discover_slots',
    gate: 'public',
    input: discoverFilters.extend({
      cursor: z.string().max(200).optional(),
      limit: z.coerce.number().int().min(1).max(50).default(20),
    }),
    output: z.object({ slots: z.array(openSlot), nextCursor: z.string().nullable() }),
    summary: 'Scheduled future slots with a free place, a page at a time.',
  }),
};
