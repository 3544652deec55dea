import type { InputOf } from '#domain/endpoint.ts';
import type { PayableBooking, PayableCoach, payoutsApi } from '#domain/payouts/contract.ts';

export type PayableFilter = {
  search?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
};

/** The ticked bookings: individual bookings, all matching bookings of some coaches, or all matching except some. */
export type PayableSelection =
  | { kind: 'bookings'; bookings: ReadonlyMap<string, PayableBooking> }
  | { kind: 'coaches'; coaches: ReadonlyMap<string, PayableCoach>; filter: PayableFilter }
  | { kind: 'all'; except: ReadonlyMap<string, PayableBooking>; filter: PayableFilter };

export const nothingSelected: PayableSelection = { kind: 'bookings', bookings: new Map() };

type Totals = { bookingCount: number; amountCents: number };

/** The number of ticked bookings and their sum; `all`: the totals of all matching bookings. */
export function sumSelection(selection: PayableSelection, all: Totals): Totals {
  const sum = (amounts: { amountCents: number }[]) =>
    amounts.reduce((total, { amountCents }) => total + amountCents, 0);
  if (selection.kind === 'bookings') {
    const bookings = [...selection.bookings.values()];
    return { bookingCount: bookings.length, amountCents: sum(bookings) };
  }
  if (selection.kind === 'coaches') {
    const coaches = [...selection.coaches.values()];
    const bookingCount = coaches.reduce((total, coach) => total + coach.bookingCount, 0);
    return { bookingCount, amountCents: sum(coaches) };
  }
  const except = [...selection.except.values()];
  return { bookingCount: all.bookingCount - except.length, amountCents: all.amountCents - sum(except) };
}

/** The selection in the API's format. */
export function describeSelection(selection: PayableSelection): InputOf<typeof payoutsApi.previewPayrun> {
  if (selection.kind === 'bookings') return { bookingIds: [...selection.bookings.keys()] };
  const { search, from, to } = selection.filter;
  const filter = { ...(search && { search }), ...(from && { from }), ...(to && { to }) };
  if (selection.kind === 'coaches')
    return { matching: { ...filter, coachIds: [...selection.coaches.keys()] } };
  const exceptBookingIds = [...selection.except.keys()];
  return { matching: { ...filter, ...(exceptBookingIds.length > 0 && { exceptBookingIds }) } };
}

/** Ticks or unticks a booking; replaces a selection by coach. */
export function toggleBooking(selection: PayableSelection, booking: PayableBooking): PayableSelection {
  const flip = (known: ReadonlyMap<string, PayableBooking>) => {
    const next = new Map(known);
    if (!next.delete(booking.bookingId)) next.set(booking.bookingId, booking);
    return next;
  };
  if (selection.kind === 'all') return { ...selection, except: flip(selection.except) };
  return { kind: 'bookings', bookings: flip(selection.kind === 'bookings' ? selection.bookings : new Map()) };
}

export function isBookingSelected(
  selection: PayableSelection,
  { bookingId, coachId }: PayableBooking,
): boolean {
  if (selection.kind === 'all') return !selection.except.has(bookingId);
  return selection.kind === 'coaches' ? selection.coaches.has(coachId) : selection.bookings.has(bookingId);
}

/** Ticks or unticks all bookings of a coach; if all bookings were ticked, the other `coaches` stay ticked. */
export function toggleCoach(
  selection: PayableSelection,
  coach: PayableCoach,
  { coaches, filter }: { coaches: readonly PayableCoach[]; filter: PayableFilter },
): PayableSelection {
  const known = selection.kind === 'coaches' ? [...selection.coaches.values()] : [];
  const before = selection.kind === 'all' ? coaches.filter(({ bookingCount }) => bookingCount > 0) : known;
  const next = new Map(before.map((one) => [one.coachId, one]));
  if (!next.delete(coach.coachId)) next.set(coach.coachId, coach);
  return next.size === 0 ? nothingSelected : { kind: 'coaches', coaches: next, filter };
}
