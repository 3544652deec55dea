import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { cents, nextCursor, pageFields } from '../fields.ts';
import { isoDate } from '../period.ts';
import { oneLine } from '../text.ts';
import { deskBooking, foundBooking, otherDate, refundRequest } from './desk-booking.ts';
import { bearer, historyEntry } from './history.ts';

const bookingId = z.uuid().describe('The booking.');

const reason = oneLine()
  .min(1, 'Enter the reason. The customer will read it.')
  .max(300, "The reason can't be longer than 300 characters.")
  .meta({
    description: 'The reason, which is emailed to the customer.',
    examples: ['Goodwill after a short lesson'],
  });

const noAmount = 'Enter an amount above £0.';
const refundCents = z
  .number(noAmount)
  .int(noAmount)
  .min(1, noAmount)
  .max(100_000_000, 'Enter a smaller amount.')
  .meta({ examples: [2500] });

/** Endpoints of the desk, where admins find a booking, read its history, and refund, cancel, move or correct it. */
export const deskApi = {
  search: endpoint({
    method: 'GET',
    path: '/api/admin/bookings',
    operationId: 'search_bookings',
    gate: 'admin',
    summary: 'Search bookings',
    description:
      'Bookings that match a text, a date or both. Latest lesson first, a page at a time. Without a text or a date, the list is empty. A search that would take too long is refused with `unavailable`.',
    refusals: ['unavailable'],
    input: z.object({
      search: z
        .string()
        .trim()
        .max(100, "A search can't be longer than 100 characters.")
        .optional()
        .meta({
          description:
            "A booking's reference or id, the last four digits of a card, or part of a person's name or email address or of a lesson's title.",
          examples: ['alex'],
        }),
      date: isoDate.optional().describe('The date of the lesson (London time).'),
      ...pageFields({ size: 25, max: 50 }),
    }),
    output: z.object({ bookings: z.array(foundBooking), nextCursor }),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/admin/bookings/:bookingId',
    operationId: 'get_desk_booking',
    gate: 'admin',
    summary: 'Get a booking with its history',
    description:
      'A booking with everything that has happened to it, newest first: holds, charges, refunds, notifications, moves, disputes, payruns and the audit log.',
    input: z.object({ bookingId }),
    output: z.object({
      booking: deskBooking,
      history: z.array(historyEntry),
      isHistoryCut: z.boolean().describe('True if older events are left out.'),
    }),
  }),
  refund: endpoint({
    method: 'POST',
    path: '/api/admin/bookings/:bookingId/refunds',
    operationId: 'refund_at_desk',
    gate: 'admin',
    summary: 'Refund a booking',
    description:
      'Refunds part or all of a booking to the card that paid, even if its lesson is over or paid out. Above the limit in the settings, the refund waits for a second admin. The customer is emailed, and so is the coach if they bear the refund. The call is refused with `conflict` if the amount left has changed since the admin saw it (details.leftCents) or is smaller than the refund. It is also refused with `conflict` if the booking is unpaid, free, already refunded in full or disputed, has a waiting refund, or has a refund made in Stripe that nobody has entered.',
    refusals: ['conflict'],
    reauthenticate: true,
    input: z.object({
      bookingId,
      amountCents: refundCents.describe('The amount to refund, in minor units (pence).'),
      borneBy: bearer,
      reason,
      expectedLeftCents: cents
        .min(0)
        .describe('The amount, in minor units (pence), that could still be refunded when the admin looked.'),
    }),
    output: z.object({
      outcome: z
        .enum(['made', 'waiting'])
        .describe('`made`: the money is on its way. `waiting`: a second admin has to approve the refund.'),
    }),
  }),
  listRequests: endpoint({
    method: 'GET',
    path: '/api/admin/refund-requests',
    operationId: 'list_refund_requests',
    gate: 'admin',
    summary: 'List refunds that wait for a second admin',
    description: 'Refunds above the limit in the settings, oldest first, a page at a time.',
    input: z.object(pageFields({ size: 20, max: 50 })),
    output: z.object({ requests: z.array(refundRequest), nextCursor }),
  }),
  decideRequest: endpoint({
    method: 'POST',
    path: '/api/admin/refund-requests/:refundRequestId/decision',
    operationId: 'decide_refund_request',
    gate: 'admin',
    summary: 'Approve or decline a refund',
    description:
      "Makes or declines a refund that waits for a second admin. The admin who asked for the refund can't approve it, but withdraws it by declining.",
    refusals: ['conflict'],
    reauthenticate: true,
    input: z.object({
      refundRequestId: z.uuid().describe('The waiting refund.'),
      decision: z.enum(['approve', 'decline']).describe("The admin's decision."),
    }),
    output: z.object({}),
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/api/admin/bookings/:bookingId/cancellation',
    operationId: 'cancel_at_desk',
    gate: 'admin',
    summary: 'Cancel a booking',
    description:
      'Cancels a booking before its lesson starts, with the refund that its terms allow. The customer and the coach are emailed. The call is refused with `conflict` if the refund has changed since the admin saw it (details.refundCents).',
    refusals: ['conflict'],
    reauthenticate: true,
    input: z.object({
      bookingId,
      reason,
      expectedRefundCents: cents.min(0).describe('The refund that the admin saw, in minor units (pence).'),
    }),
    output: z.object({}),
  }),
  listOtherDates: endpoint({
    method: 'GET',
    path: '/api/admin/bookings/:bookingId/other-dates',
    operationId: 'list_other_dates',
    gate: 'admin',
    summary: 'List dates to which a booking can move',
    description: 'The next 50 dates of the same lesson that have a free seat, soonest first.',
    input: z.object({ bookingId }),
    output: z.object({ dates: z.array(otherDate) }),
  }),
  move: endpoint({
    method: 'PUT',
    path: '/api/admin/bookings/:bookingId/slot',
    operationId: 'move_booking',
    gate: 'admin',
    summary: 'Move or rebook a booking',
    description:
      "Gives a booking a seat on another date of the same lesson, at the price that was paid. A cancelled booking that was not refunded in full can be booked again, even on its original date. The customer and the coach are emailed. Refused with `slot_full`, `slot_unavailable`, `already_booked` or `overlap`; with `age_range` if the participant is outside the age range, or is under 18 and not covered by the coach's checks on that date; and with `conflict` if the booking can't move.",
    refusals: ['conflict', 'slot_full', 'slot_unavailable', 'already_booked', 'overlap', 'age_range'],
    // Not needed, because no money moves and the booking can be moved back.
    reauthenticate: false,
    input: z.object({ bookingId, slotId: z.uuid().describe('The date to move to.') }),
    output: z.object({}),
  }),
  markAttendance: endpoint({
    method: 'PUT',
    path: '/api/admin/bookings/:bookingId/attendance',
    operationId: 'mark_attendance_at_desk',
    gate: 'admin',
    summary: 'Correct attendance',
    description:
      "Records whether the participant came, replacing the coach's mark, once the lesson has started. The coach is notified.",
    refusals: ['conflict'],
    // Not needed, because a mark moves no money and can be removed.
    reauthenticate: false,
    input: z.object({
      bookingId,
      attended: z
        .boolean()
        .nullable()
        .describe('True for attended, false for absent, null to remove the mark.'),
    }),
    output: z.object({}),
  }),
  enterRefund: endpoint({
    method: 'POST',
    path: '/api/admin/external-refunds/:stripeRefundId/entry',
    operationId: 'enter_external_refund',
    gate: 'admin',
    summary: 'Enter a refund made in Stripe',
    description:
      "Enters a refund made in Stripe and assigns it to bookings. The amounts must add up to the refund. The payment's bookings can then be paid out again. The customer is emailed, and so is each coach who bears a part.",
    refusals: ['conflict'],
    reauthenticate: true,
    input: z.object({
      stripeRefundId: z
        .string()
        .min(1)
        .max(100)
        .meta({ description: "Stripe's id.", examples: ['re_123'] }),
      lines: z
        .array(z.object({ bookingId: z.uuid(), cents: refundCents }))
        .min(1, 'Enter an amount for at least one booking.')
        .max(20, 'Enter amounts for at most 20 bookings.')
        .refine(
          (lines) => new Set(lines.map((line) => line.bookingId)).size === lines.length,
          'Name each booking once.',
        )
        .describe('The amounts of the refund by booking, in minor units (pence).'),
      borneBy: bearer,
    }),
    output: z.object({}),
  }),
};
