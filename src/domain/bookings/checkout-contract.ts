import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { attempt, seatFields } from './booking.ts';
import { maxBookingsPerPayment } from './rules.ts';

const seat = z.object(seatFields);
/** A seat to book, with the details that the customer saw. Without `participantId`, the customer takes part. */
export type SeatToBook = z.output<typeof seat>;

/** A key that distinguishes the seats of a checkout. */
const keyOfSeat = ({ slotId, participantId = '' }: SeatToBook) => `${slotId} ${participantId}`;

/** The endpoint that books several seats with one payment. To settle or release them, name any of the bookings. */
export const checkoutApi = {
  book: endpoint({
    method: 'POST',
    path: '/api/checkouts',
    operationId: 'book_seats',
    gate: 'customer',
    summary: 'Book several lessons, or a lesson for several people',
    description:
      'Books up to six seats with one payment: all of them or none. A refusal that concerns one seat names it in `details.slotId` and `details.participantId`. A repeated call continues a checkout whose payment is undecided, and responds `booked` if the checkout is already booked. The bookings are settled and released together, whichever of them the call names.',
    refusals: [
      'payment_failed',
      'not_found',
      'conflict',
      'price_changed',
      'time_changed',
      'location_changed',
      'slot_full',
      'slot_unavailable',
      'already_booked',
      'overlap',
      'no_card',
      'age_range',
      'care_needed',
    ],
    input: z.object({
      seats: z
        .array(seat)
        .min(1, 'Choose at least one lesson.')
        .max(maxBookingsPerPayment, `One payment can book up to ${maxBookingsPerPayment} places.`)
        .refine(
          (seats) => new Set(seats.map(keyOfSeat)).size === seats.length,
          'A lesson can be booked only once for each person.',
        ),
    }),
    output: attempt,
  }),
};
