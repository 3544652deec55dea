import { useQueries } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { nameParticipant } from '#domain/accounts/participants.ts';
import type { Participant } from '#domain/accounts/participants-contract.ts';
import { findOverlap } from '#domain/bookings/checkout.ts';
import type { HeldSlot } from '#domain/bookings/contract.ts';
import { type OpenSlot, slotsApi } from '#domain/catalogue/slots-contract.ts';
import type { AppError } from '#domain/errors.ts';
import { useParticipants } from '#web/accounts/family/use-participants.ts';
import { callApi, keyOf } from '#web/app/api/api.ts';
import { useWatchedSlots } from '#web/app/live/watched-slots.ts';
import { useMergeSlots } from '#web/catalogue/open-slots.ts';
import { useHeldSlots } from '../booking/use-held-slots.ts';
import { heldBy } from '../booking/who-is-it-for.tsx';
import { bookingObstacle } from '../slot-facts.tsx';
import { type BasketItem, useBasket } from './basket.ts';

/**
 * An item whose lesson and participant exist. `problem`: why it can't be booked now, in a sentence; null if
 * it can.
 */
export type BasketSeat = BasketItem & { slot: OpenSlot; participant: Participant; problem: string | null };

/** An item whose lesson or participant no longer exists or couldn't be fetched. */
export type LostItem = BasketItem & { message: string };

/**
 * The basket's lessons and participants, soonest first, kept up to date while the basket is on the screen.
 */
export function useBasketSeats() {
  const { items } = useBasket();
  const slotIds = useMemo(() => [...new Set(items.map(({ slotId }) => slotId))], [items]);
  useWatchedSlots(
    useCallback(() => slotIds, [slotIds]),
    useMergeSlots(),
  );
  const lessons = useQueries({
    queries: slotIds.map((slotId) => ({
      queryKey: keyOf(slotsApi.getOpenSlot, { slotId }),
      queryFn: ({ signal }: { signal: AbortSignal }) => callApi(slotsApi.getOpenSlot, { slotId }, signal),
    })),
  });
  const family = useParticipants();
  const held = useHeldSlots();
  const isPending = family.isPending || held.isPending || lessons.some((lesson) => lesson.isPending);
  const found: Omit<BasketSeat, 'problem'>[] = [];
  const lost: LostItem[] = [];
  for (const item of items) {
    const lesson = lessons[slotIds.indexOf(item.slotId)];
    const slot = lesson?.data?.slot;
    const participant = family.participants.find((one) => one.participantId === item.participantId);
    if (slot && participant) found.push({ ...item, slot, participant });
    else lost.push({ ...item, message: describeLoss(lesson?.error as AppError | null, family.isError) });
  }
  found.sort((a, b) => Date.parse(a.slot.startTime) - Date.parse(b.slot.startTime));
  const seats = found.map((seat, index) => ({
    ...seat,
    problem: findProblem(seat, found.slice(0, index), held.bySlot.get(seat.slotId) ?? []),
  }));
  return { seats, lost: isPending ? [] : lost, isPending };
}

function describeLoss(error: AppError | null, isFamilyUnread: boolean): string {
  if (error?.code === 'not_found') return "This lesson doesn't exist or is no longer offered.";
  if (error || isFamilyUnread) return "We couldn't load this lesson.";
  return 'This person is no longer in your family list.';
}

/**
 * Why a seat can't be booked together with the `earlier` ones; null if it can. This is only a preview: the server
 * decides.
 */
function findProblem(
  seat: Omit<BasketSeat, 'problem'>,
  earlier: Omit<BasketSeat, 'problem'>[],
  held: HeldSlot[],
): string | null {
  const { slot, participant } = seat;
  const own = heldBy(participant, held);
  if (own?.status === 'booked') return 'Already booked.';
  // A seat that the customer holds counts as taken, but the customer can still pay for it.
  if (own) return null;
  const obstacle = bookingObstacle(slot);
  if (obstacle) return `${obstacle}.`;
  const inSlot = earlier.filter((other) => other.slotId === seat.slotId).length;
  if (slot.bookedCount + inSlot >= slot.maxCapacity) return 'There is no place left for this person.';
  const clash = findOverlap(
    [...earlier, seat].map(({ participantId, slot: { startTime, endTime, title } }) => ({
      ...{ participantId, startTime, endTime, title },
    })),
  );
  if (!clash || clash[1].participantId !== participant.participantId) return null;
  const who = participant.kind === 'self' ? 'You have' : `${nameParticipant(participant)} has`;
  return `${who} “${clash[0].title}” at the same time.`;
}
