import { useEffect, useState } from 'react';
import { type PlannedSlot, planSlots, type SlotPlan } from '#domain/catalogue/slot-plan.ts';
import { slotsApi } from '#domain/catalogue/slots-contract.ts';
import { formatTime, instantOf } from '#domain/time.ts';
import { useApi } from '#web/app/api/api.ts';

type Obstacle = 'past' | 'duplicate' | 'overlap';

/** A planned slot and the obstacle to publishing it; `clashesWith` is the title of the overlapping lesson. */
export type PreviewedSlot = PlannedSlot & { obstacle: Obstacle | null; clashesWith: string | null };

type PlannedSlots = {
  slots: PreviewedSlot[];
  /** True while the server is checking the plan against the calendar. */
  isChecking: boolean;
  /** True if the check failed, so that duplicates and overlaps are unknown. */
  isUnchecked: boolean;
};

const checkDelayMs = 250;

/** Debounces a value: returns the last value that stayed unchanged for the delay. Values are compared as JSON. */
function useSettled<Value>(value: Value, delayMs: number): Value {
  const [settled, setSettled] = useState(value);
  const written = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(written)), delayMs);
    return () => clearTimeout(timer);
  }, [written, delayMs]);
  return settled;
}

/**
 * The slots that a plan would publish: computed immediately, then checked against the coach's calendar by the server.
 * `plan` is null while the form is invalid. `durationMinutes` is undefined until a template is chosen; nothing is
 * checked before then.
 */
export function usePlannedSlots(plan: SlotPlan | null, durationMinutes: number | undefined): PlannedSlots {
  const isComplete = plan !== null && durationMinutes !== undefined;
  const settled = useSettled(plan, checkDelayMs);
  const isSettled = JSON.stringify(settled) === JSON.stringify(plan);
  const { data, isError } = useApi(slotsApi.previewSlots, settled ?? ({} as SlotPlan), {
    enabled: isComplete && settled !== null && isSettled,
    staleTime: 0,
  });
  if (!plan) return { slots: [], isChecking: false, isUnchecked: false };
  const checked = new Map(isSettled ? data?.planned.map((slot) => [Date.parse(slot.startTime), slot]) : []);
  const now = Date.now();
  const slots = planSlots(plan, durationMinutes ?? 0).map((slot): PreviewedSlot => {
    const answer = checked.get(Date.parse(slot.startTime));
    const isPast = Date.parse(slot.startTime) <= now;
    return {
      ...slot,
      obstacle: isPast ? 'past' : (answer?.obstacle ?? null),
      clashesWith: answer?.clashesWith ?? null,
    };
  });
  return {
    slots,
    isChecking: isComplete && !(isSettled && (data || isError)),
    isUnchecked: isComplete && isSettled && isError,
  };
}

const wallTime = ({ hour, minute }: Pick<SlotPlan, 'hour' | 'minute'>) =>
  `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;

/** Why a planned slot is left out, or how a clock change affects it, in a sentence; null if there is nothing to say. */
export function explainPlannedSlot(slot: PreviewedSlot, plan: SlotPlan): string | null {
  if (slot.obstacle === 'past') return "In the past, so it's left out.";
  if (slot.obstacle === 'duplicate') return "Already published, so it's left out.";
  if (slot.obstacle === 'overlap') return `Overlaps “${slot.clashesWith}”, so it's left out.`;
  if (slot.occurrence === 'skipped') {
    return `The clocks go forward that night, so this lesson would start at ${formatTime(slot.startTime)}.`;
  }
  if (slot.occurrence === 'repeated') {
    return `The clocks go back that night, so ${wallTime(plan)} happens twice. This lesson would start the first time.`;
  }
  return null;
}

/**
 * Explains that a plan spans a clock change, in a sentence; null if the clocks don't change or
 * {@link explainPlannedSlot} already says so.
 */
export function describeClockChange(slots: readonly PreviewedSlot[], plan: SlotPlan): string | null {
  const first = slots[0];
  const last = slots.at(-1);
  if (!first || !last || slots.some((slot) => slot.occurrence !== 'exact')) return null;
  const offsetOn = ({ date }: PreviewedSlot) =>
    Date.parse(`${date}T12:00:00Z`) - Date.parse(instantOf({ date, hour: 12, minute: 0 }).instant);
  const changes = offsetOn(last) - offsetOn(first);
  if (changes === 0) return null;
  return `The clocks go ${changes > 0 ? 'forward' : 'back'} in between; every lesson still starts at ${wallTime(plan)}.`;
}
