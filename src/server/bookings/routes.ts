import { announcementsApi } from '#domain/bookings/announcements-contract.ts';
import { calendarApi } from '#domain/bookings/calendar-contract.ts';
import { checkoutApi } from '#domain/bookings/checkout-contract.ts';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { refundsApi } from '#domain/bookings/refunds-contract.ts';
import { registerApi } from '#domain/bookings/register-contract.ts';
import { AppError } from '#domain/errors.ts';
import { disputesApi } from '#domain/payments/disputes-contract.ts';
import { consumeCardLookup } from '#server/payments/card-limits.ts';
import type { Config } from '#server/platform/config.ts';
import { type Route, route } from '#server/platform/http/http.ts';
import type { AddressSigner } from '#server/storage/signed-address.ts';
import { listReceivedAnnouncements, listSentAnnouncements } from './announcements/list-announcements.ts';
import { sendAnnouncement } from './announcements/send-announcement.ts';
import { bookSeats } from './booking/book-seats.ts';
import { createFactsReader } from './booking/booking-facts.ts';
import { listHeldSlots } from './booking/list-held-slots.ts';
import { listPaidTogether } from './booking/paid-together.ts';
import { releaseBooking } from './booking/release-booking.ts';
import { answerAttempt, type BookingParts, settleForCustomer } from './booking/settle-booking.ts';
import { createFeed, listFeeds, revokeFeed } from './calendars/calendar-feeds.ts';
import { getBookingFile, getSlotFile } from './calendars/lesson-file.ts';
import { cancelDay, previewCancelDay } from './changes/cancel-day.ts';
import { cancelSlot } from './changes/cancel-slot.ts';
import { deleteSlot } from './changes/delete-slot.ts';
import { editSlot } from './changes/edit-slot.ts';
import { moveSlot } from './changes/move-slot.ts';
import { listDisputes, readDispute } from './disputes/read-disputes.ts';
import { recordLoss } from './disputes/record-loss.ts';
import { sendEvidence } from './disputes/send-evidence.ts';
import { completeSlot } from './lessons/complete-slot.ts';
import { listMyCoaches } from './lessons/list-my-coaches.ts';
import { markAttendance } from './lessons/mark-attendance.ts';
import { readPayment } from './payment/payment-records.ts';
import { getBooking, getStats, listBookings } from './queries.ts';
import { cancelBooking } from './refunds/cancel-booking.ts';
import { listFailedRefunds, retryRefund, settleRefund } from './refunds/failed-refunds.ts';
import { listAttendees } from './register/list-attendees.ts';
import { listTeamRegisters, openRegister } from './register/open-register.ts';

export function bookingRoutes({
  signer,
  ...parts
}: BookingParts & {
  config: Pick<Config, 'publicUrl' | 'email' | 'dataKeys'>;
  signer: AddressSigner;
}): Route[] {
  const { db } = parts;
  const booking = { ...parts, readFacts: createFactsReader(db) };
  return [
    route(bookingsApi.book, async (seat, customer, { ipAddress }) =>
      answerAttempt(await bookSeats(booking, customer, [seat], ipAddress)),
    ),
    route(checkoutApi.book, async ({ seats }, customer, { ipAddress }) =>
      answerAttempt(await bookSeats(booking, customer, seats, ipAddress)),
    ),
    route(bookingsApi.settle, async ({ bookingId }, { userId }, { ipAddress }) => {
      const payment = await readPayment(db, { bookingId });
      if (payment?.customerUserId !== userId) throw new AppError('not_found', 'Booking not found.');
      if (payment.bookingStatus === 'pending') await consumeCardLookup(db, userId);
      return answerAttempt(await settleForCustomer(parts, payment, ipAddress));
    }),
    route(bookingsApi.release, async ({ bookingId }, customer) => {
      await releaseBooking(parts, customer, bookingId);
      return {};
    }),
    route(bookingsApi.listMine, (input, { userId }) => listBookings(db, userId, input)),
    route(bookingsApi.getMine, async ({ bookingId }, { userId }) => ({
      booking: await getBooking(db, userId, bookingId),
      paidTogether: await listPaidTogether(db, userId, bookingId),
      announcements: await listReceivedAnnouncements(db, userId, bookingId),
    })),
    route(bookingsApi.cancel, async (input, customer) => ({
      booking: await cancelBooking(db, customer, input),
    })),
    route(bookingsApi.getMyStats, (_, { userId }) => getStats(db, userId)),
    route(lessonsApi.listAttendees, async ({ slotId }, { userId }) => {
      const attendees = await listAttendees(db, parts.config.dataKeys, { coachId: userId, slotId });
      // Customers' avatars are not public. The coach gets signed URLs, which work for one to two hours.
      return {
        attendees: attendees.map((attendee) => ({
          ...attendee,
          avatarUrl: signer.signAvatar(attendee.avatarUrl),
        })),
      };
    }),
    route(registerApi.open, ({ slotId }, reader) => openRegister(parts, reader, slotId)),
    route(registerApi.listOfTeam, async (_, { userId }) => ({
      lessons: await listTeamRegisters(db, userId),
    })),
    route(announcementsApi.listSent, ({ slotId }, { userId }) => listSentAnnouncements(db, userId, slotId)),
    route(announcementsApi.send, async (input, coach) => ({
      announcement: await sendAnnouncement(db, coach, input),
    })),
    route(lessonsApi.markAttendance, (input, coach) => markAttendance(db, coach, input)),
    route(lessonsApi.moveSlot, async (move, coach) => ({ slot: await moveSlot(db, coach, move) })),
    route(lessonsApi.editSlot, async (edit, coach) => ({ slot: await editSlot(db, coach, edit) })),
    route(lessonsApi.completeSlot, async ({ slotId }, coach) => ({
      slot: await completeSlot(db, coach, slotId),
    })),
    route(lessonsApi.deleteSlot, async ({ slotId }, coach) => {
      await deleteSlot(db, coach, slotId);
      return {};
    }),
    route(lessonsApi.cancelSlot, (input, coach) => cancelSlot(db, coach, input)),
    route(lessonsApi.previewCancelDay, async ({ date }, { userId }) => ({
      lessons: await previewCancelDay(db, userId, date),
    })),
    route(lessonsApi.cancelDay, async (input, coach) => ({ lessons: await cancelDay(db, coach, input) })),
    route(disputesApi.listDisputes, async ({ view }) => ({ disputes: await listDisputes(db, view) })),
    route(disputesApi.getDispute, async ({ disputeId }) => ({ dispute: await readDispute(db, disputeId) })),
    route(disputesApi.sendEvidence, async (input, admin) => ({
      dispute: await sendEvidence(db, admin, input),
    })),
    route(disputesApi.recordLoss, async (input, admin) => ({
      dispute: await recordLoss(db, admin, input),
    })),
    route(refundsApi.listFailed, (input) => listFailedRefunds(db, input)),
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
    route(calendarApi.getBookingFile, ({ bookingId }, { userId }) =>
      getBookingFile(parts, userId, bookingId),
    ),
    route(calendarApi.getSlotFile, ({ slotId }, { userId }) => getSlotFile(parts, userId, slotId)),
    route(calendarApi.listFeeds, async (_, { userId }) => ({ feeds: await listFeeds(db, userId) })),
    route(calendarApi.createFeed, ({ scope }, person) => createFeed(parts, person, scope)),
    route(calendarApi.revokeFeed, async ({ scope }, person) => {
      await revokeFeed(db, person, scope);
      return {};
    }),
    route(bookingsApi.listMyCoaches, async (_, { userId }) => ({ coaches: await listMyCoaches(db, userId) })),
  ];
}
