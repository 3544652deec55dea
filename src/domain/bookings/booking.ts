import { z } from 'zod';
import { lessonContent, lessonType } from '../catalogue/contract.ts';
import { location } from '../catalogue/location.ts';
import { slotStatuses } from '../catalogue/slot-plan.ts';
import { cancellationPolicy } from '../settings/contract.ts';
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
  /** The coach's reason for cancelling: "Rain". */
  cancellationReason: z.string().nullable(),
  /** Title, description, sport and coach's name at the time of booking. */
  ...lessonContent.shape,
  lessonType,
  coachId: z.uuid(),
  coachName: z.string(),
  /** The time a cancelled booking had when it was cancelled, even if the lesson moved later. */
  startTime: z.string(),
  endTime: z.string(),
  /** The time that was bought, if the coach has moved the lesson since: cancelling is free then. */
  movedFrom: z.object({ startTime: z.string(), endTime: z.string() }).nullable(),
  /** The location that was bought, if the coach has changed it since: cancelling is free then. */
  relocatedFrom: z.object({ location: location.nullable() }).nullable(),
  /** The new title, description and sport, if the coach has changed them since the booking: cancelling is free then. */
  changedTo: lessonContent.nullable(),
  slotStatus: z.enum(slotStatuses),
  /** The location the customer was last notified of; null if still to be agreed. */
  location: location.nullable(),
  /** The policy at purchase. */
  ...cancellationPolicy.shape,
  /** The card that was charged; null for a free lesson. */
  card: z.object({ brand: z.string(), lastFour: z.string() }).nullable(),
  /**
   * The money refunded to the card, or on its way, for all refunds of the booking together. `failed` if one of them
   * could not be sent, else `pending` if one is on its way; `settled` if one was paid back another way.
   */
  refund: z.object({ amountCents: z.number().int(), status: z.enum(refundStatuses) }).nullable(),
});
export type Booking = z.output<typeof booking>;
