import { deskApi } from '#domain/desk/contract.ts';
import { markAttendanceAtDesk } from '#server/bookings/lessons/mark-attendance.ts';
import { cancelAtDesk } from '#server/bookings/refunds/cancel-booking.ts';
import { enterExternalRefund } from '#server/bookings/refunds/enter-external-refund.ts';
import type { Database } from '#server/platform/db/db.ts';
import { type Route, route } from '#server/platform/http/http.ts';
import { getDeskBooking } from './get-desk-booking.ts';
import { listOtherDates, moveBooking } from './move-booking.ts';
import { askRefund, decideRequest, listRequests } from './refund-requests.ts';
import { searchBookings } from './search-bookings.ts';

/** Endpoints of the bookings desk. */
export function deskRoutes(db: Database): Route[] {
  return [
    route(deskApi.search, (input) => searchBookings(db, input)),
    route(deskApi.get, ({ bookingId }) => getDeskBooking(db, bookingId)),
    route(deskApi.refund, (input, admin) => askRefund(db, admin, input)),
    route(deskApi.listRequests, (input) => listRequests(db, input)),
    route(deskApi.decideRequest, async (input, admin) => {
      await decideRequest(db, admin, input);
      return {};
    }),
    route(deskApi.cancel, async (input, admin) => {
      await cancelAtDesk(db, admin, input);
      return {};
    }),
    route(deskApi.listOtherDates, ({ bookingId }) => listOtherDates(db, bookingId)),
    route(deskApi.move, async (input, admin) => {
      await moveBooking(db, admin, input);
      return {};
    }),
    route(deskApi.markAttendance, async (input, admin) => {
      await markAttendanceAtDesk(db, admin, input);
      return {};
    }),
    route(deskApi.enterRefund, async (input, admin) => {
      await enterExternalRefund(db, admin, input);
      return {};
    }),
  ];
}
