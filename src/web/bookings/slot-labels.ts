import type { CoachSlot } from '#domain/catalogue/slots-contract.ts';
import { formatDay } from '#domain/time.ts';
import { formatClockTimes } from './calendar/slot-blocks.ts';

export type SlotState = 'cancelled' | 'completed' | 'over' | 'full' | 'empty' | 'partly';

/** The status and fullness of a lesson, for its style in the calendar. `now` in ms since 1970. */
export function stateOf(slot: CoachSlot, now: number): SlotState {
  if (slot.status !== 'scheduled') return slot.status;
  if (Date.parse(slot.endTime) <= now) return 'over';
  if (slot.bookedCount >= slot.maxCapacity) return 'full';
  return slot.bookedCount === 0 ? 'empty' : 'partly';
}

/** A lesson's state as text, for people who cannot see the fill or outline. */
export function describeState(slot: CoachSlot, now: number): string {
  const left = slot.maxCapacity - slot.bookedCount;
  const labels: Record<SlotState, string> = {
    cancelled: 'cancelled',
    completed: 'completed',
    over: 'ended',
    full: 'full',
    empty: 'no bookings yet',
    partly: `${left} ${left === 1 ? 'place' : 'places'} left`,
  };
  return labels[stateOf(slot, now)];
}

/** Describes a lesson: "Junior tennis, Tue 24 Nov, 09:00–10:00, 3/8 booked, 5 places left, Woodhouse Moor". */
export function describeSlot(slot: CoachSlot, now: number): string {
  const parts = [
    slot.title,
    formatDay(slot.startTime, now),
    formatClockTimes(slot),
    `${slot.bookedCount}/${slot.maxCapacity} booked`,
    describeState(slot, now),
    slot.customerName && `with ${slot.customerName}`,
    slot.location?.name,
  ];
  return parts.filter(Boolean).join(', ');
}

/** Says that a lesson can be dragged, or why it can't be; null if the lesson has started or is not scheduled. */
export function describeDrag(slot: CoachSlot, now: number): string | null {
  if (slot.status !== 'scheduled' || Date.parse(slot.startTime) <= now) return null;
  return slot.bookedCount === 0
    ? 'Drag to move it.'
    : "You can't drag a booked lesson. Open it to move it and notify everyone.";
}
