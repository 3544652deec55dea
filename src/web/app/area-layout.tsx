import { Outlet, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Role } from '#domain/access.ts';
import { BottomBar, bottomBarLink } from '#web/ui/bottom-bar.tsx';
import { AreaGate } from './area-gate.tsx';
import { useAuth } from './auth-provider.tsx';
import { placesByRole } from './navigation.ts';
import { Page } from './page.tsx';
import { PlaceIcon } from './place-icon.tsx';
import { PlaceLink } from './place-link.tsx';

/** Pages of the coach's area. */
export function CoachLayout() {
  return (
    <AreaGate area="coach">
      <Page>
        <Outlet />
      </Page>
      <AreaTabs area="coach" label="Coach" />
    </AreaGate>
  );
}

/** Pages of the customer's area; looking for lessons is open to visitors, and while the profile cannot be read. */
export function CustomerLayout() {
  const { user, loading, isProfileUnreachable } = useAuth();
  const isDiscover = useLocation({ select: ({ pathname }) => /^\/customer\/discover\/?$/.test(pathname) });
  const isOpen = isDiscover && (!user || loading || isProfileUnreachable);
  return (
    <AreaGate area="customer" isOpen={isOpen}>
      <Page>
        <Outlet />
      </Page>
      {!isOpen && <AreaTabs area="customer" label="Customer" />}
    </AreaGate>
  );
}

/** A page of its own outside the areas, with the tab bar of the area that its person works in: a coach's, else a customer's. */
export function PersonalPage({ children }: { children: ReactNode }) {
  const { isCoach, isCustomer } = useAuth();
  return (
    <>
      <Page>{children}</Page>
      {isCoach ? (
        <AreaTabs area="coach" label="Coach" />
      ) : (
        isCustomer && <AreaTabs area="customer" label="Customer" />
      )}
    </>
  );
}

function AreaTabs({ area, label }: { area: Role; label: string }) {
  return (
    <>
      {/* Keeps the end of the page clear of the bar. */}
      <div aria-hidden className="h-[calc(4rem+env(safe-area-inset-bottom))] md:hidden" />
      <BottomBar label={label}>
        {placesByRole[area].tabs.map((place) => (
          <PlaceLink key={place.to} place={place} className={bottomBarLink}>
            <PlaceIcon place={place} />
            {place.shortLabel ?? place.label}
          </PlaceLink>
        ))}
      </BottomBar>
    </>
  );
}
