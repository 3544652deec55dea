import { bookingsApi } from '#domain/bookings/contract.ts';
import { refundsApi } from '#domain/bookings/refunds-contract.ts';
import { AppError } from '#domain/errors.ts';
import { countCardQuestion } from '#server/payments/card-limits.ts';
import { type Route, route } from '#server/platform/http.ts';
import { bookSlot } from './book-slot.ts';
import { cancelBooking } from './cancel-booking.ts';
import { cancelDay, previewCancelDay } from './cancel-day.ts';
import { cancelSlot } from './cancel-slot.ts';
import { completeSlot } from './complete-slot.ts';
import { deleteSlot } from './delete-slot.ts';
import { editSlot } from './edit-slot.ts';
import { listGivenUpRefunds, retryRefund, settleRefund } from './given-up-refunds.ts';
import { createFactsReader } from './hold-seat.ts';
import { listHeldSlots } from './list-held-slots.ts';
import { listMyCoaches } from './list-my-coaches.ts';
import { markAttendance } from './mark-attendance.ts';
import { moveSlot } from './move-slot.ts';
import { readPayment } from './payment-records.ts';
import { getBooking, getStats, listAttendees, listBookings } from './queries.ts';
import { readOverview } from './read-overview.ts';
import { releaseBooking } from './release-booking.ts';
import { answerAttempt, type BookingParts, settleForCustomer } from './settle-booking.ts';

export function bookingRoutes(parts: BookingParts): Route[] {
  const { db } = parts;
  const booking = { ...parts, readFacts: createFactsReader(db) };
  return [
    route(bookingsApi.book, async (input, customer, { ipAddress }) =>
      answerAttempt(await bookSlot(booking, customer, { ...input, ipAddress })),
    ),
    route(bookingsApi.settle, async ({ bookingId }, { userId }, { ipAddress }) => {
      const payment = await readPayment(db, { bookingId });
      if (payment?.customerUserId !== userId) throw new AppError('not_found', 'There is no such booking.');
      if (payment.bookingStatus === 'pending') await countCardQuestion(db, userId);
      return answerAttempt(await settleForCustomer(parts, payment, ipAddress));
    }),
    route(bookingsApi.release, async ({ bookingId }, customer) => {
      await releaseBooking(parts, customer, bookingId);
      return {};
    }),
    route(bookingsApi.listMine, (input, { userId }) => listBookings(db, userId, input)),
    route(bookingsApi.getMine, async ({ bookingId }, { userId }) => ({
      booking: await getBooking(db, userId, bookingId),
    })),
    route(bookingsApi.cancel, async (input, customer) => ({
      booking: await cancelBooking(db, customer, input),
    })),
    route(bookingsApi.getMyStats, (_, { userId }) => getStats(db, userId)),
    route(bookingsApi.listAttendees, async ({ slotId }, { userId }) => ({
      attendees: await listAttendees(db, userId, slotId),
    })),
    route(bookingsApi.markAttendance, (input, coach) => markAttendance(db, coach, input)),
    route(bookingsApi.moveSlot, async (move, coach) => ({ slot: await moveSlot(db, coach, move) })),
    route(bookingsApi.editSlot, async (edit, coach) => ({ slot: await editSlot(db, coach, edit) })),
    route(bookingsApi.completeSlot, async ({ slotId }, coach) => ({
      slot: await completeSlot(db, coach, slotId),
    })),
    route(bookingsApi.deleteSlot, async ({ slotId }, coach) => {
      await deleteSlot(db, coach, slotId);
      return {};
    }),
    route(bookingsApi.cancelSlot, (input, coach) => cancelSlot(db, coach, input)),
    route(bookingsApi.previewCancelDay, async ({ date }, { userId }) => ({
      lessons: await previewCancelDay(db, userId, date),
    })),
    route(bookingsApi.cancelDay, async (input, coach) => ({ lessons: await cancelDay(db, coach, input) })),
    route(refundsApi.listGivenUp, (input) => listGivenUpRefunds(db, input)),
    route(refundsApi.retry, async ({ refundId }, admin) => {
      await retryRefund(parts, admin, refundId);
      return {};
    }),
    route(refundsApi.settle, async (input, admin) => {
      await settleRefund(parts, admin, input);
      return {};
    }),
    route(bookingsApi.listHeldSlots, async (_, { userId }) => ({
      bookings: await listHeldSlots(db, userId),
    })),
    route(bookingsApi.listMyCoaches, async (_, { userId }) => ({ coaches: await listMyCoaches(db, userId) })),
    route(bookingsApi.getOverview, () => readOverview(db)),
  ];
}
