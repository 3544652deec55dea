import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { cents, nextCursor, pageFields } from '../fields.ts';
import { announcement } from './announcements-contract.ts';
import {
  attempt,
  type Booking,
  type BookingAttempt,
  booking,
  type HeldSlot,
  heldSlot,
  type MyCoach,
  myCoach,
  type PaidBooking,
  paidBooking,
  seatFields,
} from './booking.ts';

export type { Booking, BookingAttempt, HeldSlot, MyCoach, PaidBooking };

const bookingId = z.uuid().describe('The booking.');

/** Endpoints with which customers book, pay, cancel and list bookings. Those for coaches are in lessons-contract.ts. */
export const bookingsApi = {
  book: endpoint({
    method: 'POST',
    path: '/api/functions/charge-payment-method',
    operationId: 'charge-payment-method',
    gate: 'customer',
    summary: 'Book a lesson',
    description:
      'Books a slot and charges the saved card. A repeated call continues a booking whose payment is still undecided.',
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
    input: z.object(seatFields),
    output: attempt,
    wireNames: { slotId: 'slot_id', baseAmountCents: 'base_amount_cents' },
  }),
  settle: endpoint({
    method: 'POST',
    path: '/api/bookings/:bookingId/settlement',
    operationId: 'settle_booking',
    gate: 'signedIn',
    summary: 'Settle a booking',
    description: "Asks Stripe for the payment's state and confirms or releases the booking.",
    refusals: ['payment_failed'],
    input: z.object({ bookingId }),
    output: attempt,
  }),
  release: endpoint({
    method: 'POST',
    path: '/api/bookings/:bookingId/release',
    operationId: 'release_booking',
    gate: 'signedIn',
    summary: 'Release an unpaid booking',
    description:
      'Ends an unpaid booking, and the others of its checkout, and releases the seats. Refused with `unavailable` while Stripe cannot cancel the payment.',
    refusals: ['conflict'],
    input: z.object({ bookingId }),
    output: z.object({}),
  }),
  listMine: endpoint({
    method: 'GET',
    path: '/api/bookings',
    operationId: 'list_my_bookings',
    gate: 'signedIn',
    summary: 'List my bookings',
    description:
      "The customer's bookings, and those that other guardians made for the customer's dependants, a page at a time. `view` sets the order. Unpaid bookings that were released or have expired are left out.",
    input: z.object({
      view: z
        .enum(['upcoming', 'past'])
        .optional()
        .describe(
          '`upcoming`: upcoming lessons only, soonest first. `past`: past lessons only, latest first. If omitted: all bookings, newest first.',
        ),
      ...pageFields({ size: 20, max: 50 }),
    }),
    output: z.object({ bookings: z.array(booking), nextCursor }),
  }),
  listHeldSlots: endpoint({
    method: 'GET',
    path: '/api/held-slots',
    operationId: 'list_held_slots',
    gate: 'signedIn',
    summary: 'List my upcoming seats',
    description:
      'The lessons that are not over and in which the customer has booked or holds a seat, for themselves or for a dependant. Soonest first, at most 500.',
    input: z.object({}),
    output: z.object({ bookings: z.array(heldSlot) }),
  }),
  getMine: endpoint({
    method: 'GET',
    path: '/api/bookings/:bookingId',
    operationId: 'get_my_booking',
    gate: 'signedIn',
    summary: 'Get one of my bookings',
    description:
      "A booking of the customer, or one that another guardian made for a dependant, with the details for a receipt and the lesson's announcements.",
    input: z.object({ bookingId }),
    output: z.object({
      booking,
      paidTogether: z
        .array(paidBooking)
        .describe(
          'All bookings of the checkout that paid for this one, in the order of the checkout. Empty if it paid for this booking alone, or if the caller is another guardian.',
        ),
      announcements: z
        .array(announcement)
        .describe(
          'The last 50 announcements about the lesson, newest first; for a cancelled booking, only those sent before the cancellation.',
        ),
    }),
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/api/bookings/:bookingId/cancellation',
    operationId: 'cancel_booking',
    gate: 'signedIn',
    summary: 'Cancel a booking',
    description:
      'Cancels the booking of an upcoming lesson, releases the seat and refunds the customer: in full if the coach has changed the lesson since, otherwise under the policy that applied when they booked.',
    refusals: ['conflict'],
    input: z.object({
      bookingId,
      expectedRefundCents: cents
        .min(0)
        .describe('The refund that the customer saw; refused if the policy now gives a different amount.'),
    }),
    output: z.object({ booking }),
  }),
  getMyStats: endpoint({
    method: 'GET',
    path: '/api/bookings-stats',
    operationId: 'get_my_stats',
    gate: 'signedIn',
    summary: 'Get my dashboard',
    description: "The figures on the customer's dashboard, the last three bookings and the next lesson.",
    input: z.object({}),
    output: z.object({
      lessonsBooked: z
        .number()
        .int()
        .describe('Lessons that the caller booked, past and upcoming, excluding cancelled lessons.'),
      upcoming: z.number().int().describe('How many of these have not started.'),
      totalMinutes: z.number().int().describe('The length of those that are over.'),
      recent: z.array(booking).describe('The last three bookings, newest first.'),
      next: booking.nullable().describe('The next lesson that the caller has booked.'),
    }),
  }),
  listMyCoaches: endpoint({
    method: 'GET',
    path: '/api/my-coaches',
    operationId: 'list_my_coaches',
    gate: 'customer',
    summary: 'List my coaches',
    description:
      'The coaches whom the customer has booked before, even if the booking was cancelled. The coach of the latest lesson comes first.',
    input: z.object({}),
    output: z.object({ coaches: z.array(myCoach) }),
  }),
};
