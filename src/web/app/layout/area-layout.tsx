import { Outlet, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Role } from '#domain/access.ts';
import { BottomBar, bottomBarLink } from '#web/ui/page/bottom-bar.tsx';
import { AreaGate } from '../auth/area-gate.tsx';
import { useAuth } from '../auth/auth-provider.tsx';
import { roleNames } from '../auth/person-line.tsx';
import { isAtPlace, keptPlacesOf, type Place, placesByRole } from './navigation.ts';
import { Page } from './page.tsx';
import { PlaceIcon } from './place-icon.tsx';
import { PlaceLink } from './place-link.tsx';

/** Pages of the coach's area; a former coach keeps those about their own money. */
export function CoachLayout() {
  const kept = useKeptPlaces('coach');
  return (
    <AreaGate area="coach" isOpen={kept !== null}>
      <Page>
        <Outlet />
      </Page>
      <AreaTabs label="Coach" places={kept ?? placesByRole.coach.tabs} />
    </AreaGate>
  );
}

/**
 * Pages of the customer's area; looking for lessons is open to visitors, and while the profile cannot be read. A former
 * customer keeps the pages about their own money.
 */
export function CustomerLayout() {
  const { user, loading, isProfileUnreachable } = useAuth();
  const isDiscover = useLocation({ select: ({ pathname }) => /^\/customer\/discover\/?$/.test(pathname) });
  const isOpen = isDiscover && (!user || loading || isProfileUnreachable);
  const kept = useKeptPlaces('customer');
  return (
    <AreaGate area="customer" isOpen={isOpen || kept !== null}>
      <Page>
        <Outlet />
      </Page>
      {!isOpen && <AreaTabs label="Customer" places={kept ?? placesByRole.customer.tabs} />}
    </AreaGate>
  );
}

/**
 * A page of its own outside the areas, with the tab bar of the area that its person works in: a coach's, else a
 * customer's, else of what they keep of former roles.
 */
export function PersonalPage({ children }: { children: ReactNode }) {
  const { profile, isCoach, isCustomer } = useAuth();
  const area = isCoach ? 'coach' : isCustomer ? 'customer' : null;
  const kept = keptPlacesOf(profile?.formerRoles ?? []);
  return (
    <>
      <Page>{children}</Page>
      {area && <AreaTabs label={roleNames[area]} places={placesByRole[area].tabs} />}
      {!area && kept.length > 0 && <AreaTabs label="Your money" places={kept} />}
    </>
  );
}

/** What the person keeps of an area whose role they lost, where they are at one of those places; else null. */
function useKeptPlaces(area: Role): Place[] | null {
  const { user, profile } = useAuth();
  const pathname = useLocation({ select: (location) => location.pathname });
  if (!user || !profile?.formerRoles.includes(area)) return null;
  const kept = keptPlacesOf([area]);
  return kept.some((place) => isAtPlace(place, pathname)) ? kept : null;
}

function AreaTabs({ label, places }: { label: string; places: Place[] }) {
  return (
    <>
      {/* Keeps the end of the page clear of the bar. */}
      <div aria-hidden className="h-[calc(4rem+env(safe-area-inset-bottom))] md:hidden" />
      <BottomBar label={label}>
        {places.map((place) => (
          <PlaceLink key={place.to} place={place} className={bottomBarLink}>
            <PlaceIcon place={place} />
            {place.shortLabel ?? place.label}
          </PlaceLink>
        ))}
      </BottomBar>
    </>
  );
}
