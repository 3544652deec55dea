import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { isoDate } from '../period.ts';
import { sportSlugs } from '../sports.ts';
import { lessonTypes } from './lesson-types.ts';
import { location, locationInput } from './location.ts';
import { templateInput } from './rules.ts';
import { planInput, slotStatuses } from './slot-plan.ts';

export const lessonType = z.enum(lessonTypes);
export const sport = z.enum(sportSlugs);

/** A coach's reusable description of a lesson. Money in cents, time in minutes. */
export const lessonTemplate = z.object({
  templateId: z.uuid(),
  coachId: z.uuid(),
  title: z.string(),
  description: z.string(),
  sport,
  durationMinutes: z.number().int(),
  basePriceCents: z.number().int(),
  lessonType,
  minCapacity: z.number().int(),
  maxCapacity: z.number().int(),
  createdAt: z.string(),
});
export type LessonTemplate = z.output<typeof lessonTemplate>;

/** What a lesson is: the part of its template that a booking keeps as it was sold. */
export const lessonContent = lessonTemplate.pick({ title: true, description: true, sport: true });
export type LessonContent = z.output<typeof lessonContent>;

export type Location = z.output<typeof location>;

/** A dated lesson in a coach's lists and calendar. */
export const coachSlot = z.object({
  slotId: z.uuid(),
  templateId: z.uuid(),
  title: z.string(),
  sport,
  startTime: z.string(),
  endTime: z.string(),
  lessonType,
  minCapacity: z.number().int(),
  maxCapacity: z.number().int(),
  priceCents: z.number().int(),
  status: z.enum(slotStatuses),
  bookedCount: z.number().int(),
  /** The customer of an individual lesson; null if not booked, and for a group. */
  customerName: z.string().nullable(),
  location: location.nullable(),
});
export type CoachSlot = z.output<typeof coachSlot>;

/** The same with all details for its screen. */
export const coachSlotDetail = coachSlot.extend({
  description: z.string(),
  /** The coach's reason for cancelling: "Rain". */
  cancellationReason: z.string().nullable(),
});
export type CoachSlotDetail = z.output<typeof coachSlotDetail>;

/** A dated lesson as offered to customers. */
export const openSlot = z.object({
  slotId: z.uuid(),
  coachId: z.uuid(),
  coachName: z.string(),
  title: z.string(),
  description: z.string(),
  sport,
  startTime: z.string(),
  endTime: z.string(),
  lessonType,
  priceCents: z.number().int(),
  maxCapacity: z.number().int(),
  bookedCount: z.number().int(),
  status: z.enum(slotStatuses),
  location: location.nullable(),
});
export type OpenSlot = z.output<typeof openSlot>;

/** The parts of a slot that may change while people look at it. */
export const slotAvailability = openSlot.pick({
  slotId: true,
  status: true,
  bookedCount: true,
  maxCapacity: true,
  priceCents: true,
});
export type SlotAvailability = z.output<typeof slotAvailability>;

const uuidPattern = '[\\da-fA-F]{8}(?:-[\\da-fA-F]{4}){3}-[\\da-fA-F]{12}';

const templateId = z.uuid();
const slotId = z.uuid();
const locationId = z.uuid();

export const catalogueApi = {
  listTemplates: endpoint({
    method: 'GET',
    path: '/api/coach/templates',
    operationId: 'list_templates',
    gate: 'coach',
    input: z.object({}),
    output: z.object({ templates: z.array(lessonTemplate) }),
    summary: "The coach's lesson templates, newest first.",
  }),
  createTemplate: endpoint({
    method: 'POST',
    path: '/api/coach/templates',
    operationId: 'create_template',
    gate: 'coach',
    input: templateInput,
    output: z.object({ template: lessonTemplate }),
    summary: 'Creates a lesson template.',
  }),
  updateTemplate: endpoint({
    method: 'PUT',
    path: '/api/coach/templates/:templateId',
    operationId: 'update_template',
    gate: 'coach',
    input: templateInput.and(z.object({ templateId })),
    output: z.object({ template: lessonTemplate }),
    summary:
      'Changes a lesson template; published slots keep price, length and size. Anyone who booked one is emailed about a new title, description or sport.',
  }),
  deleteTemplate: endpoint({
    method: 'DELETE',
    path: '/api/coach/templates/:templateId',
    operationId: 'delete_template',
    gate: 'coach',
    input: z.object({ templateId }),
    output: z.object({}),
    summary: 'Deletes a lesson template; its slots and their bookings stay.',
  }),
  listLocations: endpoint({
    method: 'GET',
    path: '/api/coach/locations',
    operationId: 'list_locations',
    gate: 'coach',
    input: z.object({}),
    output: z.object({ locations: z.array(location) }),
    summary: "The coach's locations by name.",
  }),
  createLocation: endpoint({
    method: 'POST',
    path: '/api/coach/locations',
    operationId: 'create_location',
    gate: 'coach',
    input: locationInput,
    output: z.object({ location }),
    summary: 'Adds a location.',
  }),
  updateLocation: endpoint({
    method: 'PUT',
    path: '/api/coach/locations/:locationId',
    operationId: 'update_location',
    gate: 'coach',
    input: locationInput.and(z.object({ locationId })),
    output: z.object({ location }),
    summary: 'Changes a location everywhere it is used.',
  }),
  deleteLocation: endpoint({
    method: 'DELETE',
    path: '/api/coach/locations/:locationId',
    operationId: 'delete_location',
    gate: 'coach',
    input: z.object({ locationId }),
    output: z.object({}),
    summary: 'Takes a location off the list; lessons that have it keep it.',
  }),
  previewSlots: endpoint({
    method: 'POST',
    path: '/api/coach/slots/preview',
    operationId: 'preview_slots',
    gate: 'coach',
    input: planInput,
    output: z.object({
      planned: z.array(
        z.object({
          startTime: z.string(),
          endTime: z.string(),
          /** `skipped`/`repeated`: the wall time does not exist, or exists twice, on that day. */
          occurrence: z.enum(['exact', 'skipped', 'repeated']),
          /** What prevents creating this one; null if nothing does. */
          obstacle: z.enum(['past', 'duplicate', 'overlap']).nullable(),
          /** Title of the lesson it overlaps. */
          clashesWith: z.string().nullable(),
        }),
      ),
    }),
    summary: 'What creating these slots would do, slot by slot. Changes nothing.',
  }),
  createSlots: endpoint({
    method: 'POST',
    path: '/api/coach/slots',
    operationId: 'create_slots',
    gate: 'coach',
    input: planInput,
    output: z.object({ slots: z.array(coachSlot) }),
    summary: 'Publishes slots of a template; duplicates are left out, an overlap refuses all of them.',
  }),
  listCoachSlots: endpoint({
    method: 'GET',
    path: '/api/coach/slots',
    operationId: 'list_coach_slots',
    gate: 'coach',
    input: z.object({ from: isoDate, to: isoDate }),
    output: z.object({ slots: z.array(coachSlot) }),
    summary: "The coach's slots that start on these London dates (inclusive, at most 62 days), by start.",
  }),
  getCoachSlot: endpoint({
    method: 'GET',
    path: '/api/coach/slots/:slotId',
    operationId: 'get_coach_slot',
    gate: 'coach',
    input: z.object({ slotId }),
    output: z.object({ slot: coachSlotDetail }),
    summary: "One of the coach's own slots.",
  }),
  readAvailability: endpoint({
    method: 'GET',
    path: '/api/slot-availability',
    operationId: 'read_slot_availability',
    gate: 'public',
    input: z.object({
      /** Ids with commas between them. */
      slotIds: z
        .string()
        .regex(
          new RegExp(`^${uuidPattern}(?:,${uuidPattern}){0,99}$`),
          'Name 1 to 100 lessons by their ids, with commas between them.',
        ),
    }),
    output: z.object({ slots: z.array(slotAvailability) }),
    summary: 'How full these slots are now, for lists that are on a screen; unknown ones are left out.',
  }),
  getOpenSlot: endpoint({
    method: 'GET',
    path: '/api/slots/:slotId',
    operationId: 'get_slot',
    gate: 'public',
    input: z.object({ slotId }),
    output: z.object({ slot: openSlot }),
    summary: 'One slot as customers see it, also when it is full, cancelled or over.',
  }),
};
