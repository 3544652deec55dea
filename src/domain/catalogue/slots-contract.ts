import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { cents, coachAddress, instant, lessonDescription, personName } from '../fields.ts';
import { isoDate } from '../period.ts';
import { avatarUrl } from '../storage/contract.ts';
import { location } from './location.ts';
import { planInput, slotStatuses } from './slot-plan.ts';
import { shownFields } from './template.ts';

export const slotStatus = z.enum(slotStatuses).meta({ id: 'SlotStatus' });

/** A slot as everyone sees it in discover and on the lesson's page. */
export const openSlot = z
  .object({
    slotId: z.uuid(),
    coachId: z.uuid(),
    coachName: personName,
    coachAddress,
    coachAvatarUrl: avatarUrl,
    ...shownFields.shape,
    startTime: instant,
    endTime: instant,
    priceCents: cents,
    bookedCount: z.number().int(),
    status: slotStatus,
    location: location.nullable(),
  })
  .meta({ id: 'OpenSlot', description: 'A lesson on a given date, as offered to customers.' });
export type OpenSlot = z.output<typeof openSlot>;

/** A slot in its coach's calendar: most of the public fields, and the fields that only the coach sees. */
export const coachSlot = openSlot
  .omit({ coachId: true, coachName: true, coachAddress: true, coachAvatarUrl: true, description: true })
  .extend({
    templateId: z.uuid(),
    minCapacity: z.number().int(),
    customerName: personName
      .nullable()
      .describe('Who takes part in an individual lesson; null for an unbooked lesson or a group lesson.'),
  })
  .meta({ id: 'CoachSlot', description: "A lesson on a given date, in a coach's lists and calendar." });
export type CoachSlot = z.output<typeof coachSlot>;

export const coachSlotDetail = coachSlot
  .extend({
    description: lessonDescription,
    cancellationReason: z
      .string()
      .meta({ examples: ['Rain'] })
      .nullable()
      .describe("The coach's reason for cancelling."),
  })
  .meta({ id: 'CoachSlotDetail', description: "A coach's lesson with all details." });
export type CoachSlotDetail = z.output<typeof coachSlotDetail>;

export const slotAvailability = openSlot
  .pick({
    slotId: true,
    status: true,
    bookedCount: true,
    maxCapacity: true,
    priceCents: true,
    startTime: true,
    endTime: true,
    location: true,
  })
  .meta({
    id: 'SlotAvailability',
    description: 'The parts of a slot that may change while people look at it.',
  });
export type SlotAvailability = z.output<typeof slotAvailability>;

const uuidPattern = '[\\da-fA-F]{8}(?:-[\\da-fA-F]{4}){3}-[\\da-fA-F]{12}';

const slotId = z.uuid().describe('The lesson.');

/** Endpoints for a coach's slots, and for slots as customers see them. The search is in discover/contract.ts. */
export const slotsApi = {
  previewSlots: endpoint({
    method: 'POST',
    path: '/api/coach/slots/preview',
    operationId: 'preview_slots',
    gate: 'coach',
    summary: 'Preview new slots',
    description: 'Shows what creating these slots would do, slot by slot. Changes nothing.',
    refusals: ['not_found'],
    input: planInput,
    output: z.object({
      planned: z.array(
        z.object({
          startTime: instant,
          endTime: instant,
          occurrence: z
            .enum(['exact', 'skipped', 'repeated'])
            .describe('`skipped`: the local time does not exist on that day. `repeated`: it occurs twice.'),
          obstacle: z
            .enum(['past', 'duplicate', 'overlap'])
            .nullable()
            .describe('Why this slot cannot be created; null if it can.'),
          clashesWith: z
            .string()
            .meta({ examples: ['Tennis for beginners'] })
            .nullable()
            .describe('The title of the lesson that this slot overlaps.'),
        }),
      ),
    }),
  }),
  createSlots: endpoint({
    method: 'POST',
    path: '/api/coach/slots',
    operationId: 'create_slots',
    gate: 'coach',
    summary: 'Create slots',
    description:
      'Publishes slots of a template. Duplicates are left out; if any slot overlaps another lesson or has already begun, none is created.',
    refusals: ['conflict', 'overlap', 'not_found'],
    input: planInput,
    output: z.object({ slots: z.array(coachSlot) }),
  }),
  listCoachSlots: endpoint({
    method: 'GET',
    path: '/api/coach/slots',
    operationId: 'list_coach_slots',
    gate: 'coach',
    summary: 'List my slots',
    description:
      "The coach's slots that start on these dates (London time; at most 62 days), in order of start time.",
    input: z.object({
      from: isoDate.describe('The first date (London time), inclusive.'),
      to: isoDate.describe('The last date (London time), inclusive.'),
    }),
    output: z.object({ slots: z.array(coachSlot) }),
  }),
  getCoachSlot: endpoint({
    method: 'GET',
    path: '/api/coach/slots/:slotId',
    operationId: 'get_coach_slot',
    gate: 'coach',
    summary: 'Get one of my slots',
    description: "One of the coach's own slots.",
    input: z.object({ slotId }),
    output: z.object({ slot: coachSlotDetail }),
  }),
  readAvailability: endpoint({
    method: 'GET',
    path: '/api/slot-availability',
    operationId: 'read_slot_availability',
    gate: 'public',
    summary: 'Get the availability of slots',
    description:
      'The booked seats, capacity, price, time, location and status of the given slots. Unknown slots are left out.',
    refusals: ['too_many_requests'],
    input: z.object({
      slotIds: z
        .string()
        .regex(
          new RegExp(`^${uuidPattern}(?:,${uuidPattern}){0,99}$`),
          'Give the ids of 1 to 100 lessons, separated by commas.',
        )
        .meta({
          description: 'Slot ids, separated by commas.',
          examples: ['0199c1de-5f0a-7c3e-9d2b-6a1f0c3b7e55'],
        }),
    }),
    output: z.object({ slots: z.array(slotAvailability) }),
  }),
  getOpenSlot: endpoint({
    method: 'GET',
    path: '/api/slots/:slotId',
    operationId: 'get_slot',
    gate: 'public',
    summary: 'Get a slot',
    description: 'One slot as customers see it, even if it is full, cancelled or over.',
    input: z.object({ slotId }),
    output: z.object({ slot: openSlot }),
  }),
};
