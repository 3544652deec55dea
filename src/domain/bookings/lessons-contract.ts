import { z } from 'zod';
import { coachSlotDetail } from '../catalogue/slots-contract.ts';
import { endpoint } from '../endpoint.ts';
import { cents, emailAddress, instant, personName } from '../fields.ts';
import { isoDate } from '../period.ts';
import { avatarUrl } from '../storage/contract.ts';
import { bookingStatus, type CancelledLesson, cancelledLesson } from './booking.ts';
import { attendingParticipant } from './register-contract.ts';
import { cancellationReason, editInput, moveInput } from './slot-changes.ts';

export type { CancelledLesson };

const bookingId = z.uuid().describe('The booking.');
const slotId = z.uuid().describe('The lesson.');
const date = isoDate.describe('The date on which the lessons start (London time).');

/** Endpoints for coaches' published lessons and the people who booked them. */
export const lessonsApi = {
  listAttendees: endpoint({
    method: 'GET',
    path: '/api/coach/slots/:slotId/attendees',
    operationId: 'list_attendees',
    gate: 'coach',
    summary: 'List the attendees of a lesson',
    description:
      "The people who booked one of the coach's own slots, including those who cancelled. Their care details are in the lesson's register (`open_register`).",
    input: z.object({ slotId }),
    output: z.object({
      attendees: z.array(
        z.object({
          bookingId: z.uuid(),
          ...attendingParticipant.shape,
          fullName: personName.nullable().describe('Null if the person gave no name; shown as "Anonymous".'),
          email: emailAddress.describe(
            'The email address of the person who booked; for a dependant, that is a guardian.',
          ),
          avatarUrl,
          bookedAt: instant,
          status: bookingStatus,
          amountCents: cents,
          refundedCents: cents.describe('The part of the price that was refunded.'),
          attended: z.boolean().nullable(),
        }),
      ),
    }),
  }),
  markAttendance: endpoint({
    method: 'PUT',
    path: '/api/coach/bookings/:bookingId/attendance',
    operationId: 'mark_attendance',
    gate: 'coach',
    summary: 'Mark attendance',
    description:
      "After one of the coach's lessons has started, records whether a participant attended, and updates the booking's status.",
    refusals: ['conflict'],
    input: z.object({
      bookingId,
      attended: z
        .boolean()
        .nullable()
        .describe('True for attended, false for absent, null to clear the mark.'),
    }),
    output: z.object({ status: bookingStatus, attended: z.boolean().nullable() }),
  }),
  moveSlot: endpoint({
    method: 'POST',
    path: '/api/coach/slots/:slotId/move',
    operationId: 'move_slot',
    gate: 'coach',
    summary: 'Move a lesson',
    description:
      "Moves a lesson to another time, given in London local time. Customers who booked it are emailed and may cancel for a full refund. Refused for a day on which the coach's checks don't cover a participant under 18.",
    refusals: ['conflict', 'overlap'],
    input: moveInput.extend({ slotId }),
    output: z.object({ slot: coachSlotDetail }),
  }),
  editSlot: endpoint({
    method: 'PUT',
    path: '/api/coach/slots/:slotId',
    operationId: 'edit_slot',
    gate: 'coach',
    summary: 'Edit a lesson',
    description:
      "Changes the location, price and capacity. Existing bookings keep their price; customers who booked are emailed about a new location. Refused for a location at which the coach's checks don't cover a participant under 18.",
    refusals: ['conflict'],
    input: editInput.extend({ slotId }),
    output: z.object({ slot: coachSlotDetail }),
  }),
  completeSlot: endpoint({
    method: 'POST',
    path: '/api/coach/slots/:slotId/completion',
    operationId: 'complete_slot',
    gate: 'coach',
    summary: 'Mark a lesson as completed',
    description: 'Marks a started lesson as completed. A job does the same for every lesson that has ended.',
    refusals: ['conflict'],
    input: z.object({ slotId }),
    output: z.object({ slot: coachSlotDetail }),
  }),
  cancelSlot: endpoint({
    method: 'POST',
    path: '/api/coach/slots/:slotId/cancellation',
    operationId: 'cancel_slot',
    gate: 'coach',
    summary: 'Cancel a lesson',
    description:
      'Cancels a lesson that is not over. Everyone who booked it, or cancelled late, is refunded in full and emailed.',
    refusals: ['conflict'],
    input: z.object({ slotId, reason: cancellationReason }),
    output: cancelledLesson
      .pick({ people: true, lateCancellers: true, refundCents: true })
      .extend({ slot: coachSlotDetail }),
  }),
  deleteSlot: endpoint({
    method: 'DELETE',
    path: '/api/coach/slots/:slotId',
    operationId: 'delete_slot',
    gate: 'coach',
    summary: 'Delete a lesson',
    description: 'Deletes a lesson that nobody has ever booked or started to book.',
    refusals: ['conflict'],
    input: z.object({ slotId }),
    output: z.object({}),
  }),
  previewCancelDay: endpoint({
    method: 'GET',
    path: '/api/coach/days/:date/cancellation',
    operationId: 'preview_cancel_day',
    gate: 'coach',
    summary: "Preview the cancellation of a day's lessons",
    description: 'The lessons that `cancel_day` would cancel on this date. Changes nothing.',
    input: z.object({ date }),
    output: z.object({ lessons: z.array(cancelledLesson) }),
  }),
  cancelDay: endpoint({
    method: 'POST',
    path: '/api/coach/days/:date/cancellation',
    operationId: 'cancel_day',
    gate: 'coach',
    summary: "Cancel a day's lessons",
    description:
      "Cancels the coach's lessons on this date that have not started. If the call fails with `unavailable`, repeat it to cancel the rest.",
    input: z.object({ date, reason: cancellationReason }),
    output: z.object({ lessons: z.array(cancelledLesson) }),
  }),
};
