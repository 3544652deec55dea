import { z } from 'zod';
import { openSlot } from '../catalogue/slots-contract.ts';
import { endpoint } from '../endpoint.ts';
import { nextCursor, pageFields } from '../fields.ts';
import { schemasOf } from '../search-param-schemas.ts';
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
    description: 'Scheduled future slots with a free seat, a page at a time.',
    refusals: ['too_many_requests'],
    input: discoverFilters.extend(pageFields({ size: 20, max: 50 })),
    output: z.object({ slots: z.array(openSlot), nextCursor }),
  }),
};
