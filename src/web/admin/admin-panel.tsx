import { useNavigate, useSearch } from '@tanstack/react-router';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { PersonalPage } from '#web/app/layout/area-layout.tsx';
import { BookingSearch } from '#web/desk/booking-search.tsx';
import { PayoutsTab } from '#web/payouts/payouts-tab.tsx';
import { ReviewCases } from '#web/reviews/review-cases.tsx';
import { SettingsTab } from '#web/settings/settings-tab.tsx';
import { ReportedPictures } from '#web/storage/reported-pictures.tsx';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#web/ui/tabs.tsx';
import { VerificationTab } from '#web/verification/admin/verification-tab.tsx';
import { ApplicationsTab } from '#web/verification/applications/applications-tab.tsx';
import { type AdminSearch, type AdminTab, adminTabs } from './admin-search.ts';
import { AuditLog } from './audit-log.tsx';
import { ExportRecords } from './export-records.tsx';
import { OverviewTab } from './overview-tab.tsx';
import { TwoStepMissing } from './two-step-missing.tsx';
import { UsersTab } from './users-tab.tsx';

const tabNames: Record<AdminTab, string> = {
  overview: 'Overview',
  users: 'Users',
  applications: 'Applications',
  bookings: 'Bookings',
  payouts: 'Payouts',
  settings: 'Settings',
  verification: 'Checks',
  pictures: 'Pictures',
  reviews: 'Reviews',
};

/** The admin panel's tabs. The URL contains the tab and its filters. */
export default function AdminPanelScreen() {
  const { profile } = useAuth();
  const search = useSearch({ from: '/admin/panel' });
  const navigate = useNavigate({ from: '/admin/panel' });
  const applyFilter = (change: Partial<AdminSearch>) =>
    void navigate({ search: { ...search, ...change }, replace: true, resetScroll: false });
  if (profile?.isTwoStepMissing) {
    return (
      <PersonalPage>
        <h1>Admin Panel</h1>
        <TwoStepMissing />
      </PersonalPage>
    );
  }
  return (
    <PersonalPage>
      <h1>Admin Panel</h1>
      <Tabs
        className="mt-4"
        value={search.tab ?? 'overview'}
        onValueChange={(tab) => void navigate({ search: { tab: tab as AdminTab }, resetScroll: false })}
      >
        <TabsList aria-label="Admin Panel">
          {adminTabs.map((tab) => (
            <TabsTrigger key={tab} value={tab}>
              {tabNames[tab]}
            </TabsTrigger>
          ))}
        </TabsList>
        <TabsContent value="overview">
          <OverviewTab />
          <AuditLog
            search={search.about}
            kind={search.kind}
            from={search.from}
            to={search.to}
            onFilter={applyFilter}
          />
        </TabsContent>
        <TabsContent value="users">
          <UsersTab search={search.search} role={search.role} onFilter={applyFilter} />
        </TabsContent>
        <TabsContent value="applications">
          <ApplicationsTab />
        </TabsContent>
        <TabsContent value="bookings">
          <BookingSearch
            search={search.booking}
            date={search.on}
            onFilter={(change) =>
              applyFilter({
                ...('search' in change && { booking: change.search }),
                ...('date' in change && { on: change.date }),
              })
            }
          />
        </TabsContent>
        <TabsContent value="payouts">
          <PayoutsTab search={search} onFilter={applyFilter} />
          <ExportRecords />
        </TabsContent>
        <TabsContent value="settings">
          <SettingsTab />
        </TabsContent>
        <TabsContent value="verification">
          <VerificationTab search={search.search} state={search.checks} onFilter={applyFilter} />
        </TabsContent>
        <TabsContent value="pictures">
          <ReportedPictures />
        </TabsContent>
        <TabsContent value="reviews">
          <ReviewCases />
        </TabsContent>
      </Tabs>
    </PersonalPage>
  );
}
