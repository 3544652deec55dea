import type { LinkProps } from '@tanstack/react-router';
import type { Role } from '#domain/access.ts';

/** One place of the product in header, menu or bottom bar; its icon is in place-icon.tsx. */
export type Place = {
  to: LinkProps['to'];
  label: string;
  /** Shorter word for the bottom bar. */
  shortLabel?: string;
  /** Other addresses that belong to this place. */
  alsoAt?: RegExp;
};

const calendar: Place = {
  to: '/coach/calendar',
  label: 'Calendar',
  alsoAt: /^\/coach(\/lesson\/.+)?\/?$/,
};
const templates: Place = { to: '/coach/templates', label: 'Templates' };
const locations: Place = { to: '/coach/locations', label: 'Locations' };
const earnings: Place = { to: '/coach/earnings', label: 'Earnings' };
const bankDetails: Place = { to: '/coach/bank-details', label: 'Bank Details' };
const business: Place = { to: '/coach/business', label: 'Business' };
const team: Place = { to: '/coach/team', label: 'Team' };
const book: Place = { to: '/customer/discover', label: 'Book' };
const myBookings: Place = {
  to: '/customer/my-bookings',
  label: 'My Bookings',
  shortLabel: 'Bookings',
  alsoAt: /^\/customer\/bookings\//,
};
const payment: Place = { to: '/customer/payment-methods', label: 'Payment' };
const myCoaches: Place = { to: '/customer/coaches', label: 'My Coaches' };
const admin: Place = { to: '/admin/panel', label: 'Admin' };

/**
 * Where a person of each role goes: links of the header, those behind its "Other", tabs of the phone's bottom bar.
 * A new screen joins by its name in these lists.
 */
export const placesByRole: Record<Role, { header: Place[]; other: Place[]; tabs: Place[] }> = {
  customer: { header: [book, myBookings, payment], other: [], tabs: [book, myBookings, payment, myCoaches] },
  coach: {
    header: [calendar, templates, earnings],
    other: [business, team, bankDetails, locations],
    tabs: [calendar, earnings, templates, business, team],
  },
  admin: { header: [admin], other: [], tabs: [] },
};

/** What somebody keeps of an area whose role they lost: the pages about their own money (docs/decisions/0047). */
const keptPlaces: Record<Role, Place[]> = {
  customer: [myBookings, payment],
  coach: [earnings, bankDetails],
  admin: [],
};

/** What of a profile decides where its person may go. */
type Standing = { roles: readonly Role[]; formerRoles: readonly Role[] };

/** The places of former roles. */
export const keptPlacesOf = (formerRoles: readonly Role[]): Place[] =>
  formerRoles.flatMap((role) => keptPlaces[role]);

/** True where `pathname` belongs to the place. */
export function isAtPlace(place: Place, pathname: string): boolean {
  return (
    pathname === place.to || pathname.startsWith(`${place.to}/`) || Boolean(place.alsoAt?.test(pathname))
  );
}

/** The places of a person, each once: those of the roles they hold and what they keep of former ones. */
export function placesOf(person: Standing | null): { header: Place[]; other: Place[] } {
  const { roles = [], formerRoles = [] } = person ?? {};
  const gather = (kind: 'header' | 'other') => [
    ...new Set(
      (Object.keys(placesByRole) as Role[]).flatMap((role) =>
        roles.includes(role) ? placesByRole[role][kind] : [],
      ),
    ),
  ];
  return { header: [...gather('header'), ...keptPlacesOf(formerRoles)], other: gather('other') };
}
