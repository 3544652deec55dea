import { Link, type LinkProps, useLocation } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import type { Role } from '#domain/access.ts';
import { cn } from '#web/ui/class-names.ts';

/** An item of the header, a menu or the bottom bar; its icon is in nav-icon.tsx. */
export type NavItem = {
  to: LinkProps['to'];
  label: string;
  /** A shorter label for the bottom bar. */
  shortLabel?: string;
  /** URLs that belong to this item besides `to` and the URLs below it. */
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
const checks: NavItem = { to: '/coach/verification', label: 'Checks' };
const team: NavItem = { to: '/coach/team', label: 'Team' };
const registers: NavItem = { to: '/coach/registers', label: 'Registers' };
const book: NavItem = { to: '/customer/discover', label: 'Book' };
const myBookings: NavItem = {
  to: '/customer/my-bookings',
  label: 'My Bookings',
  shortLabel: 'Bookings',
  alsoAt: /^\/customer\/bookings\//,
};
const payment: NavItem = { to: '/customer/payment-methods', label: 'Payment' };
const myCoaches: NavItem = { to: '/customer/coaches', label: 'My Coaches' };
const reviews: NavItem = { to: '/coach/reviews', label: 'Reviews' };
const family: NavItem = { to: '/account/family', label: 'My Family', shortLabel: 'Family' };
const admin: NavItem = { to: '/admin/panel', label: 'Admin', alsoAt: /^\/admin\// };

/**
 * Each role's nav items: links in the header, links in the header's menu "Other", and tabs of the phone's bottom bar.
 * Add a screen's nav item to this object.
 */
export const navItemsByRole: Record<Role, { header: NavItem[]; other: NavItem[]; tabs: NavItem[] }> = {
  customer: {
    header: [book, myBookings, payment],
    other: [family],
    tabs: [book, myBookings, payment, myCoaches, family],
  },
  coach: {
    header: [calendar, templates, earnings],
    other: [registers, reviews, business, team, bankDetails, checks, locations],
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

/** The part of a profile that determines the person's nav items. */
type Standing = { roles: readonly Role[]; formerRoles: readonly Role[] };

/** The nav items that a person keeps from former roles. */
export const keptNavItemsOf = (formerRoles: readonly Role[]): NavItem[] =>
  formerRoles.flatMap((role) => keptNavItems[role]);

/** True if `pathname` belongs to the item. */
export function isCurrentItem(item: NavItem, pathname: string): boolean {
  return pathname === item.to || pathname.startsWith(`${item.to}/`) || Boolean(item.alsoAt?.test(pathname));
}

/** A person's nav items, each once: the items for current roles and the items kept from former roles. */
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

/** Style of a link in the header; the current item has a line along the header's bottom edge. */
export const headerLink = cn(
  'relative inline-flex h-10 items-center gap-1.5 rounded-md px-2.5 text-sm font-medium whitespace-nowrap base:text-muted-foreground',
  'transition-colors hover:bg-accent hover:text-foreground aria-[current=page]:text-foreground',
  'aria-[current=page]:after:absolute aria-[current=page]:after:inset-x-2.5 aria-[current=page]:after:-bottom-3.25',
  'aria-[current=page]:after:h-0.5 aria-[current=page]:after:bg-primary',
);

type NavLinkProps = Omit<ComponentProps<'a'>, 'href'> & { item: NavItem };

/** A link to a nav item, marked as current on every page that belongs to it. */
export function NavLink({ item, ...props }: NavLinkProps) {
  const isCurrent = useLocation({ select: ({ pathname }) => isCurrentItem(item, pathname) });
  return <Link to={item.to} {...props} activeProps={{}} aria-current={isCurrent ? 'page' : undefined} />;
}
