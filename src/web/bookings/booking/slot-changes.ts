import { isSameLocation } from '#domain/catalogue/location.ts';
import type { OpenSlot } from '#domain/catalogue/slots-contract.ts';
import { formatLocation } from '#domain/location-text.ts';
import { formatPounds } from '#domain/money.ts';
import { formatLessonTime } from '#domain/time.ts';

type SeenSlot = Pick<OpenSlot, 'startTime' | 'endTime' | 'location' | 'priceCents'>;

/**
 * One sentence for each change of a lesson's time, location or price since the customer opened its booking dialog; a
 * live update or a refetch can change them there. `now` is in ms since 1970.
 */
export function describeSlotChanges(seen: SeenSlot, slot: SeenSlot, now: number): string[] {
  const { startTime, endTime, location, priceCents } = seen;
  return [
    (startTime !== slot.startTime || endTime !== slot.endTime) &&
      `The coach has just moved this lesson. Previous time: ${formatLessonTime(startTime, endTime, now)}.`,
    !isSameLocation(location, slot.location) &&
      `The coach has just changed the location of this lesson. Previous location: ${formatLocation(location)}.`,
    priceCents !== slot.priceCents &&
      `The coach has just changed the price of this lesson. Previous price: ${formatPounds(priceCents)}.`,
  ].filter((sentence) => sentence !== false);
}
