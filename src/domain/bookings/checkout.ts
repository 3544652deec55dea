import type { Instant } from '../time.ts';

type TimedSeat = { participantId: string; startTime: Instant; endTime: Instant };

/**
 * Two seats of a checkout whose lessons overlap although the same person takes part in both; null if there are none.
 */
export function findOverlap<Seat extends TimedSeat>(seats: readonly Seat[]): [Seat, Seat] | null {
  for (const [index, seat] of seats.entries()) {
    const earlier = seats.slice(0, index).find((other) => overlaps(other, seat));
    if (earlier) return [earlier, seat];
  }
  return null;
}

const overlaps = (one: TimedSeat, other: TimedSeat): boolean =>
  one.participantId === other.participantId &&
  Date.parse(one.startTime) < Date.parse(other.endTime) &&
  Date.parse(one.endTime) > Date.parse(other.startTime);
