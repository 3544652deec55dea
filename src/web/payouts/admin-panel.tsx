import { useNavigate, useSearch } from '@tanstack/react-router';
import { AuditLog } from '#web/accounts/audit-log.tsx';
import { TwoStepMissing } from '#web/accounts/two-step-missing.tsx';
import { UsersTab } from '#web/accounts/users-tab.tsx';
import { PersonalPage } from '#web/app/area-layout.tsx';
import { useAuth } from '#web/app/auth-provider.tsx';
import { OverviewTab } from '#web/bookings/overview-tab.tsx';
import { SettingsTab } from '#web/settings/settings-tab.tsx';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#web/ui/tabs.tsx';
import { type AdminSearch, type AdminTab, adminTabs } from './admin-search.ts';
import { PayoutsTab } from './payouts-tab.tsx';

const tabNames: Record<AdminTab, string> = {
  overview: 'Overview',
  users: 'Users',
  payouts: 'Payouts',
  settings: 'Settings',
};

/** What runs the platform, a tab each; the address tells which tab, and what its lists are narrowed down to. */
export function AdminPanelScreen() {
  const { profile } = useAuth();
  const search = useSearch({ from: '/admin/panel' });
  const navigate = useNavigate({ from: '/admin/panel' });
  const narrow = (change: Partial<AdminSearch>) =>
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
            onNarrow={narrow}
          />
        </TabsContent>
        <TabsContent value="users">
          <UsersTab search={search.search} role={search.role} onNarrow={narrow} />
        </TabsContent>
        <TabsContent value="payouts">
          <PayoutsTab search={search} onNarrow={narrow} />
        </TabsContent>
        <TabsContent value="settings">
          <SettingsTab />
        </TabsContent>
      </Tabs>
    </PersonalPage>
  );
}
