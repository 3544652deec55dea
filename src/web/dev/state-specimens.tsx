import CalendarDays from 'lucide-react/icons/calendar-days';
import House from 'lucide-react/icons/house';
import Search from 'lucide-react/icons/search';
import User from 'lucide-react/icons/user';
import { useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Section } from '#web/ui/card.tsx';
import { BottomBar, bottomBarLink } from '#web/ui/page/bottom-bar.tsx';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { ErrorState } from '#web/ui/page/error-state.tsx';
import { SkeletonRows } from '#web/ui/page/skeleton.tsx';
import { Specimen } from './specimen.tsx';

/** The loading, empty and error states of a page, and the bottom bar. */
export function StateSpecimens() {
  const [isRetrying, setRetrying] = useState(false);
  return (
    <Section title="States">
      <div className="grid gap-x-8 md:grid-cols-2">
        <Specimen name="Empty">
          <EmptyState title="No lessons scheduled" action={<Button>Create Slots</Button>}>
            Add the times you want to coach and people can book them immediately.
          </EmptyState>
        </Specimen>
        <Specimen name="Error">
          <ErrorState
            title="Failed to load your bookings"
            isRetrying={isRetrying}
            onRetry={() => {
              setRetrying(true);
              setTimeout(() => setRetrying(false), 1500);
            }}
          />
        </Specimen>
        <Specimen name="Loading">
          <SkeletonRows />
        </Specimen>
      </div>
      <Specimen name="Bottom bar">
        <BottomBar
          label="Example of the bottom bar"
          className="static mx-auto max-w-md rounded-lg border md:flex"
        >
          <a href="#main" aria-current="page" className={bottomBarLink}>
            <House aria-hidden />
            Home
          </a>
          <a href="#main" className={bottomBarLink}>
            <Search aria-hidden />
            Discover
          </a>
          <a href="#main" className={bottomBarLink}>
            <CalendarDays aria-hidden />
            Bookings
          </a>
          <a href="#main" className={bottomBarLink}>
            <User aria-hidden />
            Profile
          </a>
        </BottomBar>
      </Specimen>
    </Section>
  );
}
