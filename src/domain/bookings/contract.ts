import { z } from 'zod';
import { coachSlotDetail } from '../catalogue/contract.ts';
import { location } from '../catalogue/location.ts';
import { endpoint } from '../endpoint.ts';
import { isoDate } from '../period.ts';
import { isInstant } from '../time.ts';
import { type Booking, booking } from './booking.ts';
import { bookingStatuses } from './rules.ts';
import { cancellationReason, editInput, moveInput } from './slot-changes.ts';

export type { Booking };

/**
 * A booking's progress. `requiresAction`: the browser completes 3-D Secure with `clientSecret`, then asks for
 * settlement. `processing`: the card network has not responded yet; ask for settlement again.
 */
const attempt = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('booked'), bookingId: z.uuid() }),
  z.object({ outcome: z.literal('requiresAction'), bookingId: z.uuid(), clientSecret: z.string() }),
  z.object({ outcome: z.literal('processing'), bookingId: z.uuid() }),
]);
export type BookingAttempt = z.output<typeof attempt>;

/** A lesson in which the customer has a seat (`booked`), or holds one while paying (`pending`). */
const heldSlot = z.object({ slotId: z.uuid(), bookingId: z.uuid(), status: z.enum(['pending', 'booked']) });
export type HeldSlot = z.output<typeof heldSlot>;

/** A coach whom the customer has booked before. Money in cents. */
const myCoach = z.object({
  coachId: z.uuid(),
  fullName: z.string(),
  coachType: z.string().nullable(),
  businessName: z.string().nullable(),
  bio: z.string().nullable(),
  hourlyRateCents: z.number().int().nullable(),
  /** False once the coach no longer gives lessons here. */
  isActive: z.boolean(),
  /** Upcoming scheduled lessons with any customer; 0 for a coach who is not active. */
  upcomingSlots: z.number().int(),
  /** The customer's own lessons, including upcoming ones; cancelled ones do not count. */
  ownLessons: z.number().int(),
});
export type MyCoach = z.output<typeof myCoach>;

/**
 * A lesson and the effect of cancelling it: bookings, late cancellations that get the rest of their money back, and
 * the total refund in cents.
 */
const cancelledLesson = z.object({
  slotId: z.uuid(),
  title: z.string(),
  startTime: z.string(),
  endTime: z.string(),
  people: z.number().int(),
  lateCancellers: z.number().int(),
  refundCents: z.number().int(),
});
export type CancelledLesson = z.output<typeof cancelledLesson>;

const bookingId = z.uuid();
const slotId = z.uuid();

export const bookingsApi = {
  book: endpoint({
    method: 'POST',
    path: '/api/functions/charge-payment-method',
    operationId: 'charge-payment-method',
    gate: 'customer',
    input: z.object({
      slotId,
      /** The price that the customer was shown, in cents; refused with `price_changed` if it is not the slot's. */
      baseAmountCents: z.number().int().min(0),
      /**
       * Start and location (null for none) that the customer was shown; if changed, `time_changed` and
       * `location_changed` refuse the booking.
       */
      startTime: z.string().refine(isInstant, 'Write the start like 2027-03-28T08:00:00Z.').optional(),
      location: location.nullable().optional(),
    }),
    output: attempt,
    summary: 'Books a slot and charges the saved card. Repeating it while it is open continues the same one.',
    wireNames: { slotId: 'slot_id', baseAmountCents: 'base_amount_cents' },
  }),
  settle: endpoint({
    method: 'POST',
    path: '/api/bookings/:bookingId/settlement',
    operationId: 'settle_booking',
    gate: 'signedIn',
    input: z.object({ bookingId }),
    output: attempt,
    summary: 'Reads the card network again and confirms or releases the booking.',
  }),
  release: endpoint({
    method: 'POST',
    path: '/api/bookings/:bookingId/release',
    operationId: 'release_booking',
    gate: 'signedIn',
    input: z.object({ bookingId }),
    output: z.object({}),
    summary: 'Gives up a booking that is not paid yet; its place is free again at once.',
  }),
  listMine: endpoint({
    method: 'GET',
    path: '/api/bookings',
    operationId: 'list_my_bookings',
    gate: 'signedIn',
    input: z.object({
      /** Only upcoming lessons, soonest first, or only past ones, latest first; otherwise all, by booking time. */
      view: z.enum(['upcoming', 'past']).optional(),
      cursor: z.string().max(200).optional(),
      limit: z.coerce.number().int().min(1).max(50).default(20),
    }),
    output: z.object({ bookings: z.array(booking), nextCursor: z.string().nullable() }),
    summary: "The customer's bookings, newest first or by the time of their lessons, a page at a time.",
  }),
  listHeldSlots: endpoint({
    method: 'GET',
    path: '/api/held-slots',
    operationId: 'list_held_slots',
    gate: 'signedIn',
    input: z.object({}),
    output: z.object({ bookings: z.array(heldSlot) }),
    summary: 'The lessons to come in which the customer has or holds a seat, soonest first, at most 500.',
  }),
  getMine: endpoint({
    method: 'GET',
    path: '/api/bookings/:bookingId',
    operationId: 'get_my_booking',
    gate: 'signedIn',
    input: z.object({ bookingId }),
    output: z.object({ booking }),
    summary: "One of the customer's bookings, with everything a receipt needs.",
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/api/bookings/:bookingId/cancellation',
    operationId: 'cancel_booking',
    gate: 'signedIn',
    input: z.object({
      bookingId,
      /** The refund that the customer was shown, in cents; refused if the policy now gives another. */
      expectedRefundCents: z.number().int().min(0),
    }),
    output: z.object({ booking }),
    summary: 'Cancels a booked lesson to come; frees the place and refunds by the policy at purchase.',
  }),
  getMyStats: endpoint({
    method: 'GET',
    path: '/api/bookings-stats',
    operationId: 'get_my_stats',
    gate: 'signedIn',
    input: z.object({}),
    output: z.object({
      lessonsBooked: z.number().int(),
      upcoming: z.number().int(),
      totalMinutes: z.number().int(),
      recent: z.array(booking),
      /** The next booked lesson. */
      next: booking.nullable(),
    }),
    summary: "The figures of the customer's dashboard, the last three bookings and the next lesson.",
  }),
  listAttendees: endpoint({
    method: 'GET',
    path: '/api/coach/slots/:slotId/attendees',
    operationId: 'list_attendees',
    gate: 'coach',
    input: z.object({ slotId }),
    output: z.object({
      attendees: z.array(
        z.object({
          bookingId: z.uuid(),
          /** Null if the person gave no name; shown as "Anonymous". */
          fullName: z.string().nullable(),
          email: z.string(),
          bookedAt: z.string(),
          status: z.enum(bookingStatuses),
          amountCents: z.number().int(),
          /** The refunded part. */
          refundedCents: z.number().int(),
          attended: z.boolean().nullable(),
        }),
      ),
    }),
    summary: "Who booked one of the coach's own slots.",
  }),
  markAttendance: endpoint({
    method: 'PUT',
    path: '/api/coach/bookings/:bookingId/attendance',
    operationId: 'mark_attendance',
    gate: 'coach',
    input: z.object({
      bookingId,
      /** True for attended, false for absent, null to clear it. */
      attended: z.boolean().nullable(),
    }),
    output: z.object({ status: z.enum(bookingStatuses), attended: z.boolean().nullable() }),
    summary: 'Marks who came to a lesson of the coach that has started; booked and attended follow the mark.',
  }),
  moveSlot: endpoint({
    method: 'POST',
    path: '/api/coach/slots/:slotId/move',
    operationId: 'move_slot',
    gate: 'coach',
    input: moveInput.extend({ slotId }),
    output: z.object({ slot: coachSlotDetail }),
    summary: 'Moves a lesson to a London wall time; who booked is told and may cancel for a full refund.',
  }),
  editSlot: endpoint({
    method: 'PUT',
    path: '/api/coach/slots/:slotId',
    operationId: 'edit_slot',
    gate: 'coach',
    input: editInput.extend({ slotId }),
    output: z.object({ slot: coachSlotDetail }),
    summary: 'Changes place, price and size; bookings keep their price. Who booked is told of a new place.',
  }),
  completeSlot: endpoint({
    method: 'POST',
    path: '/api/coach/slots/:slotId/completion',
    operationId: 'complete_slot',
    gate: 'coach',
    input: z.object({ slotId }),
    output: z.object({ slot: coachSlotDetail }),
    summary: 'Marks a lesson completed from its start on; a job does it for every lesson that has ended.',
  }),
  cancelSlot: endpoint({
    method: 'POST',
    path: '/api/coach/slots/:slotId/cancellation',
    operationId: 'cancel_slot',
    gate: 'coach',
    input: z.object({ slotId, reason: cancellationReason }),
    output: cancelledLesson
      .pick({ people: true, lateCancellers: true, refundCents: true })
      .extend({ slot: coachSlotDetail }),
    summary:
      'Cancels a lesson that is not over; everyone who booked, or cancelled late, is refunded in full and emailed.',
  }),
  deleteSlot: endpoint({
    method: 'DELETE',
    path: '/api/coach/slots/:slotId',
    operationId: 'delete_slot',
    gate: 'coach',
    input: z.object({ slotId }),
    output: z.object({}),
    summary: 'Deletes a lesson that nobody has ever booked; any other can be cancelled.',
  }),
  previewCancelDay: endpoint({
    method: 'GET',
    path: '/api/coach/days/:date/cancellation',
    operationId: 'preview_cancel_day',
    gate: 'coach',
    input: z.object({ date: isoDate }),
    output: z.object({ lessons: z.array(cancelledLesson) }),
    summary: "The coach's lessons of a London date that cancelling the day would cancel. Changes nothing.",
  }),
  cancelDay: endpoint({
    method: 'POST',
    path: '/api/coach/days/:date/cancellation',
    operationId: 'cancel_day',
    gate: 'coach',
    input: z.object({ date: isoDate, reason: cancellationReason }),
    output: z.object({ lessons: z.array(cancelledLesson) }),
    summary: "Cancels the coach's lessons of a London date to come; repeat it for what is left.",
  }),
  listMyCoaches: endpoint({
    method: 'GET',
    path: '/api/my-coaches',
    operationId: 'list_my_coaches',
    gate: 'customer',
    input: z.object({}),
    output: z.object({ coaches: z.array(myCoach) }),
    summary: 'The coaches whom the customer has booked before, the latest lesson first.',
  }),
};
