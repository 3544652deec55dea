import type { ReactNode } from 'react';
import { PersonalPage } from '#web/app/layout/area-layout.tsx';
import { CustomerDashboardScreen } from './customer-dashboard.tsx';

/** The dashboard outside the customer area, at `/` and at `/dashboard`. Admins also get `ofAdmins`. */
export default function DashboardPage({ ofAdmins }: { ofAdmins: ReactNode }) {
  return (
    <PersonalPage>
      <CustomerDashboardScreen ofAdmins={ofAdmins} />
    </PersonalPage>
  );
}
