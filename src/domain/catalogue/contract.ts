import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { cents, instant, lessonDescription, lessonTitle, personName, sport } from '../fields.ts';
import { isoDate } from '../period.ts';
import { lessonTypes } from './lesson-types.ts';
import { location, locationInput } from './location.ts';
import { templateInput } from './rules.ts';
import { planInput, slotStatuses } from './slot-plan.ts';

export const lessonType = z.enum(lessonTypes).meta({ id: 'LessonType' });
export const slotStatus = z.enum(slotStatuses).meta({ id: 'SlotStatus' });

/**
 * A template as its coach sees it; the server reads each field from the column of its name. What the coach enters is
 * `templateInput` (rules.ts), what its slots copy or show of it is in `server/catalogue/slot-columns.ts`.
 */
export const lessonTemplate = z
  .object({
    templateId: z.uuid(),
    coachId: z.uuid(),
    title: lessonTitle,
    description: lessonDescription,
    sport,
    durationMinutes: z.number().int(),
    basePriceCents: cents,
    lessonType,
    minCapacity: z.number().int(),
    maxCapacity: z.number().int(),
    createdAt: instant,
  })
  .meta({
    id: 'LessonTemplate',
    description: "A coach's reusable description of a lesson. Money in cents, time in minutes.",
  });
export type LessonTemplate = z.output<typeof lessonTemplate>;

/** What bookings keep of a template, in columns of their own; customers are emailed about a change of any of it. */
export const lessonContent = lessonTemplate.pick({ title: true, description: true, sport: true }).meta({
  id: 'LessonContent',
  description: 'What a lesson is: the part of its template that a booking keeps as it was sold.',
});
export type LessonContent = z.output<typeof lessonContent>;

export type Location = z.output<typeof location>;

/**
 * A slot as everybody sees it. A field added here is in discover, on the lesson's page and in the coach's calendar;
 * `server/catalogue/slot-columns.ts` says whether it is read from the slot or from its template.
 */
export const openSlot = z
  .object({
    slotId: z.uuid(),
    coachId: z.uuid(),
    coachName: personName,
    title: lessonTitle,
    description: lessonDescription,
    sport,
    startTime: instant,
    endTime: instant,
    lessonType,
    priceCents: cents,
    maxCapacity: z.number().int(),
    bookedCount: z.number().int(),
    status: slotStatus,
    location: location.nullable(),
  })
  .meta({ id: 'OpenSlot', description: 'A dated lesson as offered to customers.' });
export type OpenSlot = z.output<typeof openSlot>;

/** A slot in its coach's calendar: what everybody sees, and what only the coach does. */
export const coachSlot = openSlot
  .omit({ coachId: true, coachName: true, description: true })
  .extend({
    templateId: z.uuid(),
    minCapacity: z.number().int(),
    customerName: personName
      .nullable()
      .describe('The customer of an individual lesson; null if not booked, and for a group.'),
  })
  .meta({ id: 'CoachSlot', description: "A dated lesson in a coach's lists and calendar." });
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
  })
  .meta({
    id: 'SlotAvailability',
    description: 'The parts of a slot that may change while people look at it.',
  });
export type SlotAvailability = z.output<typeof slotAvailability>;

const uuidPattern = '[\\da-fA-F]{8}(?:-[\\da-fA-F]{4}){3}-[\\da-fA-F]{12}';

const templateId = z.uuid().describe('The template.');
const slotId = z.uuid().describe('The lesson.');
const locationId = z.uuid().describe('The location.');

export const catalogueApi = {
  listTemplates: endpoint({
    method: 'GET',
    path: '/api/coach/templates',
    operationId: 'list_templates',
    gate: 'coach',
    summary: 'List my templates',
    description: "The coach's lesson templates, newest first.",
    input: z.object({}),
    output: z.object({ templates: z.array(lessonTemplate) }),
  }),
  createTemplate: endpoint({
    method: 'POST',
    path: '/api/coach/templates',
    operationId: 'create_template',
    gate: 'coach',
    summary: 'Create a template',
    description: 'Creates a lesson template.',
    input: templateInput,
    output: z.object({ template: lessonTemplate }),
  }),
  updateTemplate: endpoint({
    method: 'PUT',
    path: '/api/coach/templates/:templateId',
    operationId: 'update_template',
    gate: 'coach',
    summary: 'Change a template',
    description:
      'Changes a lesson template. Published slots keep price, length and capacity; customers who booked one are emailed about a new title, description or sport.',
    input: templateInput.and(z.object({ templateId })),
    output: z.object({ template: lessonTemplate }),
  }),
  deleteTemplate: endpoint({
    method: 'DELETE',
    path: '/api/coach/templates/:templateId',
    operationId: 'delete_template',
    gate: 'coach',
    summary: 'Delete a template',
    description: 'Deletes a lesson template; its slots and their bookings stay.',
    input: z.object({ templateId }),
    output: z.object({}),
  }),
  listLocations: endpoint({
    method: 'GET',
    path: '/api/coach/locations',
    operationId: 'list_locations',
    gate: 'coach',
    summary: 'List my locations',
    description: "The coach's locations by name.",
    input: z.object({}),
    output: z.object({ locations: z.array(location) }),
  }),
  createLocation: endpoint({
    method: 'POST',
    path: '/api/coach/locations',
    operationId: 'create_location',
    gate: 'coach',
    summary: 'Add a location',
    description: 'Adds a location.',
    input: locationInput,
    output: z.object({ location }),
  }),
  updateLocation: endpoint({
    method: 'PUT',
    path: '/api/coach/locations/:locationId',
    operationId: 'update_location',
    gate: 'coach',
    summary: 'Change a location',
    description: 'Changes a location everywhere it is used.',
    input: locationInput.and(z.object({ locationId })),
    output: z.object({ location }),
  }),
  deleteLocation: endpoint({
    method: 'DELETE',
    path: '/api/coach/locations/:locationId',
    operationId: 'delete_location',
    gate: 'coach',
    summary: 'Delete a location',
    description: 'Removes a location from the list; lessons there keep it.',
    input: z.object({ locationId }),
    output: z.object({}),
  }),
  previewSlots: endpoint({
    method: 'POST',
    path: '/api/coach/slots/preview',
    operationId: 'preview_slots',
    gate: 'coach',
    summary: 'Preview new slots',
    description: 'What creating these slots would do, slot by slot. Changes nothing.',
    refusals: ['not_found'],
    input: planInput,
    output: z.object({
      planned: z.array(
        z.object({
          startTime: instant,
          endTime: instant,
          occurrence: z
            .enum(['exact', 'skipped', 'repeated'])
            .describe('`skipped`/`repeated`: the wall time does not exist, or exists twice, on that day.'),
          obstacle: z
            .enum(['past', 'duplicate', 'overlap'])
            .nullable()
            .describe('What prevents creating this one; null if nothing does.'),
          clashesWith: z
            .string()
            .meta({ examples: ['Tennis for beginners'] })
            .nullable()
            .describe('Title of the lesson it overlaps.'),
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
    description: 'Publishes slots of a template. Duplicates are left out; one overlap refuses all of them.',
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
    description: "The coach's slots that start on these London dates (at most 62 days), by start.",
    input: z.object({
      from: isoDate.describe('The first London date, inclusive.'),
      to: isoDate.describe('The last London date, inclusive.'),
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
    summary: 'Get the free seats of slots',
    description: 'How full these slots are now, for lists on a screen; unknown ones are left out.',
    refusals: ['too_many_requests'],
    input: z.object({
      slotIds: z
        .string()
        .regex(
          new RegExp(`^${uuidPattern}(?:,${uuidPattern}){0,99}$`),
          'Name 1 to 100 lessons by their ids, with commas between them.',
        )
        .meta({
          description: 'Ids with commas between them.',
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
    description: 'One slot as customers see it, also if it is full, cancelled or over.',
    input: z.object({ slotId }),
    output: z.object({ slot: openSlot }),
  }),
};
