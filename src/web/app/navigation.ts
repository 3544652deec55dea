import type { LinkProps } from '@tanstack/react-router';
import Building from 'lucide-react/icons/building-2';
import Calendar from 'lucide-react/icons/calendar';
import CreditCard from 'lucide-react/icons/credit-card';
import Landmark from 'lucide-react/icons/landmark';
import LayoutTemplate from 'lucide-react/icons/layout-template';
import MapPin from 'lucide-react/icons/map-pin';
import PoundSterling from 'lucide-react/icons/pound-sterling';
import Search from 'lucide-react/icons/search';
import ShieldCheck from 'lucide-react/icons/shield-check';
import Ticket from 'lucide-react/icons/ticket';
import Users from 'lucide-react/icons/users';
import UsersRound from 'lucide-react/icons/users-round';
import type { ComponentType } from 'react';
import type { Role } from '#domain/access.ts';

/** One place of the product in header, menu or bottom bar. */
export type Place = {
  to: LinkProps['to'];
  label: string;
  /** Shorter word for the bottom bar. */
  shortLabel?: string;
  icon: ComponentType<{ className?: string; 'aria-hidden'?: boolean }>;
  /** Other addresses that belong to this place. */
  alsoAt?: RegExp;
};

const calendar: Place = {
  to: '/coach/calendar',
  label: 'Calendar',
  icon: Calendar,
  alsoAt: /^\/coach(\/lesson\/.+)?\/?$/,
};
const templates: Place = { to: '/coach/templates', label: 'Templates', icon: LayoutTemplate };
const locations: Place = { to: '/coach/locations', label: 'Locations', icon: MapPin };
const earnings: Place = { to: '/coach/earnings', label: 'Earnings', icon: PoundSterling };
const bankDetails: Place = { to: '/coach/bank-details', label: 'Bank Details', icon: Landmark };
const business: Place = { to: '/coach/business', label: 'Business', icon: Building };
const team: Place = { to: '/coach/team', label: 'Team', icon: Users };
const book: Place = { to: '/customer/discover', label: 'Book', icon: Search };
const myBookings: Place = {
  to: '/customer/my-bookings',
  label: 'My Bookings',
  shortLabel: 'Bookings',
  icon: Ticket,
  alsoAt: /^\/customer\/bookings\//,
};
const payment: Place = { to: '/customer/payment-methods', label: 'Payment', icon: CreditCard };
const myCoaches: Place = { to: '/customer/coaches', label: 'My Coaches', icon: UsersRound };
const admin: Place = { to: '/admin/panel', label: 'Admin', icon: ShieldCheck };

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

/** True where `pathname` belongs to the place. */
export function isAtPlace(place: Place, pathname: string): boolean {
  return (
    pathname === place.to || pathname.startsWith(`${place.to}/`) || Boolean(place.alsoAt?.test(pathname))
  );
}

/** The places of somebody with these roles, each once. */
export function placesOf(roles: readonly Role[]): { header: Place[]; other: Place[] } {
  const gather = (kind: 'header' | 'other') => [
    ...new Set(
      (Object.keys(placesByRole) as Role[]).flatMap((role) =>
        roles.includes(role) ? placesByRole[role][kind] : [],
      ),
    ),
  ];
  return { header: gather('header'), other: gather('other') };
}
