import { z } from 'zod';
import { sportSlugs } from '../sports.ts';
import { oneLine, someLines } from '../text.ts';
import { lessonTypes } from './lesson-types.ts';

/** The form's default values: money in cents, time in minutes. */
export const templateDefaults = {
  durationMinutes: 60,
  basePriceCents: 5000,
  individual: { minCapacity: 1, maxCapacity: 1 },
  group: { minCapacity: 2, maxCapacity: 4 },
} as const;

/** Stripe's minimum charge for GBP, in cents. */
export const minimumChargeCents = 30;

const whole = (message: string) => z.number(message).int(message);

/** A lesson's price in cents: nothing, or at least the minimum card charge. */
export const priceCents = whole('Enter the price in pounds, like 45 or 45.50.')
  .min(0, 'A price cannot be negative.')
  .max(1_000_000, 'A lesson costs at most £10,000.00.')
  .refine(
    (cents) => cents <= 0 || cents >= minimumChargeCents,
    'A card cannot be charged less than £0.30. Make the lesson free (£0.00) or ask for more.',
  );

/** A lesson template as a coach enters it. An individual lesson always has capacity 1/1, whatever is sent. */
export const templateInput = z
  .object({
    title: oneLine('Enter a title.')
      .min(1, 'Enter a title.')
      .max(120, "The title can't be longer than 120 characters."),
    description: someLines().max(4000, "The description can't be longer than 4,000 characters.").default(''),
    sport: z.enum(sportSlugs, 'Choose a sport.').default('other'),
    durationMinutes: whole('Enter the duration in whole minutes.')
      .min(15, 'A lesson lasts at least 15 minutes.')
      .max(300, 'A lesson lasts at most 300 minutes (5 hours).'),
    basePriceCents: priceCents,
    lessonType: z.enum(lessonTypes, 'Choose individual or group.'),
    minCapacity: whole('Enter the smallest group size as a whole number.').default(1),
    maxCapacity: whole('Enter the largest group size as a whole number.').default(1),
  })
  .superRefine((template, context) => {
    if (template.lessonType === 'individual') return;
    const refuse = (field: 'minCapacity' | 'maxCapacity', message: string) =>
      context.addIssue({ code: 'custom', path: [field], message });
    if (template.minCapacity < 2) refuse('minCapacity', 'A group has at least 2 places.');
    if (template.maxCapacity > 20) refuse('maxCapacity', 'A group has at most 20 places.');
    if (template.minCapacity > template.maxCapacity) {
      refuse('minCapacity', 'The smallest group cannot be larger than the largest.');
    }
  })
  .transform((template) =>
    template.lessonType === 'individual' ? { ...template, ...templateDefaults.individual } : template,
  );
export type TemplateInput = z.input<typeof templateInput>;
