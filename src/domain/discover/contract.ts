import { z } from 'zod';
import { openSlot } from '../catalogue/contract.ts';
import { endpoint } from '../endpoint.ts';
import { schemasOf } from '../search-param-schemas.ts';
import { filters, slotSorts } from './filters.ts';

export const discoverFilters = z.object({
  ...schemasOf(filters),
  sort: z.enum(slotSorts).default('earliest'),
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
