import { bookingsApi } from '#domain/bookings/contract.ts';
import { slotsApi } from '#domain/catalogue/slots-contract.ts';
import type { Read } from '#web/app/api/api.ts';

/** The calls whose results change when a customer books or releases seats. */
export const changedByBooking: readonly Read[] = [
  slotsApi.getOpenSlot,
  slotsApi.readAvailability,
  bookingsApi.listMine,
  bookingsApi.getMyStats,
  bookingsApi.listHeldSlots,
];
