import { Link, type LinkProps, useLocation } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import type { Role } from '#domain/access.ts';
import { cn } from '#web/ui/class-names.ts';

/** One place of the product in header, menu or bottom bar; its icon is in place-icon.tsx. */
export type NavItem = {
  to: LinkProps['to'];
  label: string;
  /** Shorter word for the bottom bar. */
  shortLabel?: string;
  /** Other addresses that belong to this place. */
  alsoAt?: RegExp;
};

const calendar: NavItem = {
  to: '/coach/calendar',
  label: 'Calendar',
  alsoAt: /^\/coach(\/lesson\/.+)?\/?$/,
};
const templates: NavItem = { to: '/coach/templates', label: 'Templates' };
const locations: NavItem = { to: '/coach/locations', label: 'Locations' };
const earnings: NavItem = { to: '/coach/earnings', label: 'Earnings' };
const bankDetails: NavItem = { to: '/coach/bank-details', label: 'Bank Details' };
const business: NavItem = { to: '/coach/business', label: 'Business' };
const team: NavItem = { to: '/coach/team', label: 'Team' };
const book: NavItem = { to: '/customer/discover', label: 'Book' };
const myBookings: NavItem = {
  to: '/customer/my-bookings',
  label: 'My Bookings',
  shortLabel: 'Bookings',
  alsoAt: /^\/customer\/bookings\//,
};
const payment: NavItem = { to: '/customer/payment-methods', label: 'Payment' };
const myCoaches: NavItem = { to: '/customer/coaches', label: 'My Coaches' };
const admin: NavItem = { to: '/admin/panel', label: 'Admin' };

/**
 * Where a person of each role goes: links of the header, those behind its "Other", tabs of the phone's bottom bar.
 * A new screen joins by its name in these lists.
 */
export const navItemsByRole: Record<Role, { header: NavItem[]; other: NavItem[]; tabs: NavItem[] }> = {
  customer: { header: [book, myBookings, payment], other: [], tabs: [book, myBookings, payment, myCoaches] },
  coach: {
    header: [calendar, templates, earnings],
    other: [business, team, bankDetails, locations],
    tabs: [calendar, earnings, templates, business, team],
  },
  admin: { header: [admin], other: [], tabs: [] },
};

/** The pages that a person keeps after losing a role: those about their own money (docs/decisions/0047). */
const keptNavItems: Record<Role, NavItem[]> = {
  customer: [myBookings, payment],
  coach: [earnings, bankDetails],
  admin: [],
};

/** What of a profile decides where its person may go. */
type Standing = { roles: readonly Role[]; formerRoles: readonly Role[] };

/** The places of former roles. */
export const keptNavItemsOf = (formerRoles: readonly Role[]): NavItem[] =>
  formerRoles.flatMap((role) => keptNavItems[role]);

/** True where `pathname` belongs to the place. */
export function isCurrentItem(item: NavItem, pathname: string): boolean {
  return pathname === item.to || pathname.startsWith(`${item.to}/`) || Boolean(item.alsoAt?.test(pathname));
}

/** The places of a person, each once: those of the roles they hold and what they keep of former ones. */
export function navItemsOf(person: Standing | null): { header: NavItem[]; other: NavItem[] } {
  const { roles = [], formerRoles = [] } = person ?? {};
  const gather = (kind: 'header' | 'other') => [
    ...new Set(
      (Object.keys(navItemsByRole) as Role[]).flatMap((role) =>
        roles.includes(role) ? navItemsByRole[role][kind] : [],
      ),
    ),
  ];
  return { header: [...gather('header'), ...keptNavItemsOf(formerRoles)], other: gather('other') };
}

/** Look of a link in the header's row; the current place carries a line on the header's edge. */
export const headerLink = cn(
  'relative inline-flex h-10 items-center gap-1.5 rounded-md px-2.5 text-sm font-medium whitespace-nowrap base:text-muted-foreground',
  'transition-colors hover:bg-accent hover:text-foreground aria-[current=page]:text-foreground',
  'aria-[current=page]:after:absolute aria-[current=page]:after:inset-x-2.5 aria-[current=page]:after:-bottom-3.25',
  'aria-[current=page]:after:h-0.5 aria-[current=page]:after:bg-primary',
);

type NavLinkProps = Omit<ComponentProps<'a'>, 'href'> & { item: NavItem };

/** A link to a place, marked as the current one while the person is anywhere in it. */
export function NavLink({ item, ...props }: NavLinkProps) {
  const isCurrent = useLocation({ select: ({ pathname }) => isCurrentItem(item, pathname) });
  return <Link to={item.to} {...props} activeProps={{}} aria-current={isCurrent ? 'page' : undefined} />;
}
