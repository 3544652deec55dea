import { z } from 'zod';
import { formatPounds } from '../money.ts';

/** The default values of the template form: money in minor units, time in minutes. */
export const templateDefaults = {
  durationMinutes: 60,
  basePriceCents: 5000,
  individual: { minCapacity: 1, maxCapacity: 1 },
  group: { minCapacity: 2, maxCapacity: 4 },
} as const;

/** Stripe's minimum charge for GBP, in minor units. */
export const minimumChargeCents = 30;

/** How long a lesson may last, in minutes; the database has the same limits. */
export const lessonMinutes = { min: 15, max: 300 } as const;

/** How many people a group may have. */
export const groupSize = { min: 2, max: 20 } as const;

const whole = (message: string) => z.number(message).int(message);

/** A lesson's price in minor units: 0, or at least the minimum card charge. */
export const priceCents = whole('Enter the price in pounds, like 45 or 45.50.')
  .min(0, "The price can't be negative.")
  .max(1_000_000, "The price can't be more than £10,000.")
  .refine(
    (cents) => cents <= 0 || cents >= minimumChargeCents,
    `A card can't be charged less than ${formatPounds(minimumChargeCents)}. Make the lesson free (${formatPounds(0)}) or charge more.`,
  );

/** The length of a lesson in minutes. */
export const durationMinutes = whole('Enter the duration in whole minutes.')
  .min(lessonMinutes.min, `A lesson must last at least ${lessonMinutes.min} minutes.`)
  .max(
    lessonMinutes.max,
    `A lesson can't last longer than ${lessonMinutes.max} minutes (${lessonMinutes.max / 60} hours).`,
  );

/**
 * The smallest number of people in a lesson; `maxCapacity` is the largest. {@link refuseGroupSize} checks the limits of
 * a group.
 */
export const minCapacity = whole('Enter the smallest group size as a whole number.');
export const maxCapacity = whole('Enter the largest group size as a whole number.');
export const largestGroup = `A group can't have more than ${groupSize.max} places.`;

type Capacity = { minCapacity: number; maxCapacity: number };

/** The reasons why a group cannot have these sizes, each with its field; empty if it can. */
export function refuseGroupSize({ minCapacity, maxCapacity }: Capacity) {
  const refusals: { field: keyof Capacity; message: string }[] = [];
  const refuse = (field: keyof Capacity, message: string) => refusals.push({ field, message });
  if (minCapacity < groupSize.min)
    refuse('minCapacity', `A group must have at least ${groupSize.min} places.`);
  if (maxCapacity > groupSize.max) refuse('maxCapacity', largestGroup);
  if (minCapacity > maxCapacity) {
    refuse('minCapacity', "The smallest group can't be larger than the largest.");
  }
  return refusals;
}
