import { z } from 'zod';
import { location } from '../catalogue/contract.ts';
import { lessonTypes } from '../catalogue/rules.ts';
import { slotStatuses } from '../catalogue/slot-plan.ts';
import { sportSlugs } from '../sports.ts';
import { bookingStatuses, refundStatuses } from './rules.ts';

/** A booking as its customer sees it. Money in cents, instants in UTC. */
export const booking = z.object({
  bookingId: z.uuid(),
  slotId: z.uuid(),
  status: z.enum(bookingStatuses),
  amountCents: z.number().int(),
  createdAt: z.string(),
  cancelledAt: z.string().nullable(),
  cancelledBy: z.enum(['customer', 'coach', 'platform']).nullable(),
  /** What the coach wrote on cancelling the lesson: "Rain". */
  cancellationReason: z.string().nullable(),
  /** Title, description, sport and coach's name as they were when the lesson was booked. */
  title: z.string(),
  description: z.string(),
  sport: z.enum(sportSlugs),
  lessonType: z.enum(lessonTypes),
  coachId: z.uuid(),
  coachName: z.string(),
  /** Of a cancelled booking the time it had when it was cancelled, wherever the lesson has gone since. */
  startTime: z.string(),
  endTime: z.string(),
  /** When the lesson was as it was bought, once the coach has moved it since: cancelling is free then. */
  movedFrom: z.object({ startTime: z.string(), endTime: z.string() }).nullable(),
  /** Where the lesson was as it was bought, once the coach has changed its place since: cancelling is free then. */
  relocatedFrom: z.object({ location: location.nullable() }).nullable(),
  /** What the coach has changed title, description and sport to since it was booked: cancelling is free then. */
  changedTo: z.object({ title: z.string(), description: z.string(), sport: z.enum(sportSlugs) }).nullable(),
  slotStatus: z.enum(slotStatuses),
  /** Where the lesson takes place, as the customer was last told; null for a location still to be agreed. */
  location: location.nullable(),
  /** The policy at purchase: full refund until so many hours before the start, this percentage after. */
  freeUntilHours: z.number().int(),
  lateRefundPercent: z.number().int(),
  refundsEnabled: z.boolean(),
  /** The card that was charged; null for a free lesson. */
  card: z.object({ brand: z.string(), lastFour: z.string() }).nullable(),
  /**
   * What went or is going back to the card, all refunds of the booking together. `failed` where one of them could not be
   * sent, else `pending` where one is on its way; `settled` where we paid one back another way.
   */
  refund: z.object({ amountCents: z.number().int(), status: z.enum(refundStatuses) }).nullable(),
});
export type Booking = z.output<typeof booking>;
