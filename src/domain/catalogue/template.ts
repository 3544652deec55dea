import { z } from 'zod';
import { cents, instant, lessonDescription, lessonTitle, sport } from '../fields.ts';
import { sportSlugs } from '../sports.ts';
import { oneLine, someLines } from '../text.ts';
import { ageFields, ageRange, refuseAgeRange } from './ages.ts';
import { lessonTypes } from './lesson-types.ts';
import {
  durationMinutes,
  maxCapacity,
  minCapacity,
  priceCents,
  refuseGroupSize,
  templateDefaults,
} from './rules.ts';

// The fields of a lesson template, and which of them the coach enters, the API returns, a slot shows or copies, a
// booking keeps and the audit log may store. Contracts and queries are derived from this file.

/** The fields of a template that its coach enters, with the defaults of optional fields. */
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
  ...ageFields,
});

/** A lesson template as a coach enters it. An individual lesson has exactly one seat; the capacity sent is ignored. */
export const templateInput = enteredFields
  .superRefine((template, context) => {
    const refusal = refuseAgeRange(template);
    if (refusal) context.addIssue({ code: 'custom', path: ['minAge'], message: refusal.message });
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
    ...ageRange.shape,
    createdAt: instant,
  })
  .meta({
    id: 'LessonTemplate',
    description:
      "A coach's reusable description of a lesson. Amounts in minor units (pence), durations in minutes.",
  });
export type LessonTemplate = z.output<typeof lessonTemplate>;

/**
 * The fields of a template that each booking copies; customers are emailed about any change to them.
 */
export const lessonContent = lessonTemplate.pick({ title: true, description: true, sport: true }).meta({
  id: 'LessonContent',
  description:
    "The fields of a lesson's template that a booking keeps as they were when the booking was made.",
});
export type LessonContent = z.output<typeof lessonContent>;

/** The template fields of a slot that everyone sees: in discover, on the lesson's page and in the calendar. */
export const shownFields = lessonTemplate.pick({
  title: true,
  description: true,
  sport: true,
  lessonType: true,
  maxCapacity: true,
  minAge: true,
  maxAge: true,
  ageDate: true,
});

/**
 * The template fields that a slot copies to its own columns when it is published, besides the price. Changes to the
 * template do not affect these columns, except the sport of scheduled slots (`updateTemplate`), because discover
 * filters by sport.
 */
export const keptFields = [
  'templateId',
  'coachId',
  'sport',
  'lessonType',
  'minCapacity',
  'maxCapacity',
  'minAge',
  'maxAge',
  'ageDate',
] as const satisfies (keyof LessonTemplate)[];

/** The fields for which a slot always shows the template's current values. */
export const liveFields = ['title', 'description', 'sport'] as const satisfies (keyof LessonTemplate)[];

const freeText = ['title', 'description'];

/** The template fields whose values the audit log stores: every field except the coach's free text. */
export const auditedFields = Object.keys(enteredFields.shape).filter(
  (field) => !freeText.includes(field),
) as Exclude<keyof z.output<typeof enteredFields>, 'title' | 'description'>[];
