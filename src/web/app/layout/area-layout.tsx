import { Outlet, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type Role, roleNames } from '#domain/access.ts';
import { BottomBar, bottomBarLink } from '#web/ui/page/bottom-bar.tsx';
import { useAuth } from '../auth/auth-provider.tsx';
import { AreaGate } from '../auth/gates.tsx';
import { NavIcon } from './nav-icon.tsx';
import { isCurrentItem, keptNavItemsOf, type NavItem, NavLink, navItemsByRole } from './navigation.tsx';

/** Pages of the coach's area. Former coaches keep the pages about their own money. */
export function CoachLayout() {
  const kept = useKeptNavItems('coach');
  return (
    <AreaGate area="coach" isOpen={kept !== null}>
      <Page>
        <Outlet />
      </Page>
      <AreaTabs label="Coach" items={kept ?? navItemsByRole.coach.tabs} />
    </AreaGate>
  );
}

/**
 * Pages of the customer's area. Discover is open to visitors, and to anyone whose profile has not loaded.
 * Former customers keep the pages about their own money.
 */
export function CustomerLayout() {
  const { user, loading, isProfileUnreachable } = useAuth();
  const isDiscover = useLocation({ select: ({ pathname }) => /^\/customer\/discover\/?$/.test(pathname) });
  const isOpen = isDiscover && (!user || loading || isProfileUnreachable);
  const kept = useKeptNavItems('customer');
  return (
    <AreaGate area="customer" isOpen={isOpen || kept !== null}>
      <Page>
        <Outlet />
      </Page>
      {!isOpen && <AreaTabs label="Customer" items={kept ?? navItemsByRole.customer.tabs} />}
    </AreaGate>
  );
}

/**
 * A page outside the areas. Coaches get the coach area's tab bar; customers who are not coaches, and all customers with
 * `isOfCustomer`, get the tab bar of the customer area. Anyone else gets the nav items kept from former roles, if any.
 */
export function PersonalPage({ isOfCustomer, children }: { isOfCustomer?: boolean; children: ReactNode }) {
  const { profile, isCoach, isCustomer } = useAuth();
  const area = isCoach && !(isOfCustomer && isCustomer) ? 'coach' : isCustomer ? 'customer' : null;
  const kept = keptNavItemsOf(profile?.formerRoles ?? []);
  return (
    <>
      <Page>{children}</Page>
      {area && <AreaTabs label={roleNames[area]} items={navItemsByRole[area].tabs} />}
      {!area && kept.length > 0 && <AreaTabs label="Your money" items={kept} />}
    </>
  );
}

/**
 * The nav items that a person keeps after losing an area's role, if the current page belongs to one of them;
 * otherwise null.
 */
function useKeptNavItems(area: Role): NavItem[] | null {
  const { user, profile } = useAuth();
  const pathname = useLocation({ select: (location) => location.pathname });
  if (!user || !profile?.formerRoles.includes(area)) return null;
  const kept = keptNavItemsOf([area]);
  return kept.some((item) => isCurrentItem(item, pathname)) ? kept : null;
}

function AreaTabs({ label, items }: { label: string; items: NavItem[] }) {
  return (
    <>
      {/* Empty space, so that the tab bar does not cover the end of the page. */}
      <div aria-hidden className="h-[calc(4rem+env(safe-area-inset-bottom))] md:hidden" />
      <BottomBar label={label}>
        {items.map((item) => (
          <NavLink key={item.to} item={item} className={bottomBarLink}>
            <NavIcon item={item} />
            {item.shortLabel ?? item.label}
          </NavLink>
        ))}
      </BottomBar>
    </>
  );
}

/** Sets a page's width and margins; screens inside an area's layout must not add their own. */
export function Page({ children }: { children: ReactNode }) {
  return <div className="mx-auto flex w-full max-w-page grow flex-col px-4 py-6 md:py-10">{children}</div>;
}
