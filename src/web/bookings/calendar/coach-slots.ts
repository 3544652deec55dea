import { type CoachSlot, slotsApi } from '#domain/catalogue/slots-contract.ts';
import { addDays, type PlainDate, wallTimeOf } from '#domain/time.ts';
import { useApi } from '#web/app/api/api.ts';

/**
 * The coach's slots on these London dates (inclusive, at most 61 days) and on the day before, because a lesson can run
 * past midnight. Refetched every minute, since people book while the calendar is open.
 */
export function useCoachSlots(from: PlainDate, to: PlainDate) {
  return useApi(slotsApi.listCoachSlots, { from: addDays(from, -1), to }, { refetchInterval: 60_000 });
}

/** Slots by the London date on which they start; dates without slots are absent. */
export function groupByDate(slots: readonly CoachSlot[]): ReadonlyMap<PlainDate, readonly CoachSlot[]> {
  const byDate = new Map<PlainDate, CoachSlot[]>();
  for (const slot of slots) {
    const { date } = wallTimeOf(slot.startTime);
    const sameDay = byDate.get(date);
    if (sameDay) sameDay.push(slot);
    else byDate.set(date, [slot]);
  }
  return byDate;
}
