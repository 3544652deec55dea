import { z } from 'zod';
import { cents, instant, lessonDescription, lessonTitle, sport } from '../fields.ts';
import { sportSlugs } from '../sports.ts';
import { oneLine, someLines } from '../text.ts';
import { lessonTypes } from './lesson-types.ts';
import {
  durationMinutes,
  maxCapacity,
  minCapacity,
  priceCents,
  refuseGroupSize,
  templateDefaults,
} from './rules.ts';

// Everything about the fields of a lesson template: what the coach enters, what is returned, what a slot shows or
// copies, what a booking keeps and what the audit log may store. Contracts and queries follow from this file.

/** The fields of a template that its coach enters, with what a field left out means. */
const enteredFields = z.object({
  title: oneLine('Enter a title.')
    .min(1, 'Enter a title.')
    .max(120, "The title can't be longer than 120 characters.")
    .meta({ examples: ['Tennis for beginners'] }),
  description: someLines().max(4000, "The description can't be longer than 4,000 characters.").default(''),
  sport: z.enum(sportSlugs, 'Choose a sport.').default('other'),
  durationMinutes,
  basePriceCents: priceCents,
  lessonType: z.enum(lessonTypes, 'Choose individual or group.'),
  minCapacity: minCapacity.default(1),
  maxCapacity: maxCapacity.default(1),
});

/**
 * A lesson template as a coach enters it. An individual lesson always has a capacity of exactly one, whatever is sent.
 */
export const templateInput = enteredFields
  .superRefine((template, context) => {
    if (template.lessonType === 'individual') return;
    for (const { field, message } of refuseGroupSize(template)) {
      context.addIssue({ code: 'custom', path: [field], message });
    }
  })
  .transform((template) =>
    template.lessonType === 'individual' ? { ...template, ...templateDefaults.individual } : template,
  );
export type TemplateInput = z.input<typeof templateInput>;

export const lessonType = z.enum(lessonTypes).meta({ id: 'LessonType' });

/**
 * A template as its coach sees it. The server reads and writes each field in the column of the same name.
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

/**
 * The fields of a template that each booking copies; customers are emailed about any change to them.
 */
export const lessonContent = lessonTemplate.pick({ title: true, description: true, sport: true }).meta({
  id: 'LessonContent',
  description: "The fields of a lesson's template that a booking keeps as they were when it was made.",
});
export type LessonContent = z.output<typeof lessonContent>;

/** The fields of its template that everyone sees of a slot: in discover, on the lesson's page and in the calendar. */
export const shownFields = lessonTemplate.pick({
  title: true,
  description: true,
  sport: true,
  lessonType: true,
  maxCapacity: true,
});

/**
 * The template fields that a slot copies to its own columns when it is published; it copies the price as well. Changes
 * to the template do not affect these columns: only the sport of scheduled slots follows (`updateTemplate`), because
 * discover filters by it.
 */
export const keptFields = [
  'templateId',
  'coachId',
  'sport',
  'lessonType',
  'minCapacity',
  'maxCapacity',
] as const satisfies (keyof LessonTemplate)[];

/** The template fields whose current values a slot shows: those in {@link shownFields} that it does not copy. */
export const liveFields = ['title', 'description', 'sport'] as const satisfies (keyof LessonTemplate)[];

const freeText = ['title', 'description'];

/** The template fields whose values the audit log stores: every field except the coach's own words. */
export const auditedFields = Object.keys(enteredFields.shape).filter(
  (field) => !freeText.includes(field),
) as Exclude<keyof z.output<typeof enteredFields>, 'title' | 'description'>[];
