import { PersonalPage } from '#web/app/area-layout.tsx';
import { CustomerDashboardScreen } from './customer-dashboard.tsx';

/** The dashboard outside the areas, at `/` and at /dashboard. */
export function DashboardPage() {
  return (
    <PersonalPage>
      <CustomerDashboardScreen />
    </PersonalPage>
  );
}
