import { type CoachSlot, catalogueApi } from '#domain/catalogue/contract.ts';
import { type PlainDate, wallTimeOf } from '#domain/time.ts';
import { useApi } from '#web/app/api.ts';
import { useFailureToast } from '#web/ui/failure-toast.ts';

export const slotsFailure = 'Failed to load lesson slots';

/** The coach's slots that start on these London dates (inclusive, at most 62 days), by date; empty dates are absent. */
export function useCoachSlots(from: PlainDate, to: PlainDate) {
  const read = useApi(catalogueApi.listCoachSlots, { from, to });
  useFailureToast(read.isError, slotsFailure);
  const { data } = read;
  return { ...read, slotsByDate: data ? groupByDate(data.slots) : undefined };
}

function groupByDate(slots: readonly CoachSlot[]): Map<PlainDate, CoachSlot[]> {
  const byDate = new Map<PlainDate, CoachSlot[]>();
  for (const slot of slots) {
    const { date } = wallTimeOf(slot.startTime);
    const sameDay = byDate.get(date);
    if (sameDay) sameDay.push(slot);
    else byDate.set(date, [slot]);
  }
  return byDate;
}
