import { settingsApi } from '#domain/settings/contract.ts';
import { useApi } from '#web/app/api/api.ts';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { Loading, Skeleton } from '#web/ui/page/skeleton.tsx';
import { BrandForm } from './brand-form.tsx';
import { CancellationPolicyForm } from './cancellation-policy-form.tsx';
import { CoachJoiningForm } from './coach-joining-form.tsx';
import { ContactForm } from './contact-form.tsx';
import { LandingStatsForm } from './landing-stats-form.tsx';
import { PayrunControlForm } from './payrun-control-form.tsx';
import { PlatformFeeForm } from './platform-fee-form.tsx';
import { RefundControlForm } from './refund-control-form.tsx';
import { SiteTextForms } from './site-text-form.tsx';
import { UnsavedGuard } from './unsaved-guard.tsx';

/**
 * The settings that an admin can change: the platform fee, the cancellation policy, payrun and refund
 * control, how coaches join, the brand, the contact address, the landing page's figures and the texts of
 * pages. Each part is saved separately.
 */
export function SettingsTab() {
  const settings = useApi(settingsApi.getSettings, {});
  return (
    <QueryView
      query={settings}
      failure="Failed to load platform fee settings"
      skeleton={<SettingsSkeleton />}
    >
      {({
        platformFee,
        cancellationPolicy,
        brand,
        contact,
        landingStats,
        payrunControl,
        refundControl,
        coachJoining,
      }) => (
        <UnsavedGuard>
          <div className="max-w-reading">
            <PlatformFeeForm saved={platformFee} />
            <CancellationPolicyForm saved={cancellationPolicy} />
            <PayrunControlForm saved={payrunControl} />
            <RefundControlForm saved={refundControl} />
            <CoachJoiningForm saved={coachJoining} />
            <BrandForm saved={brand} />
            <ContactForm saved={contact} />
            <LandingStatsForm saved={landingStats} />
            <SiteTextForms />
          </div>
        </UnsavedGuard>
      )}
    </QueryView>
  );
}

function SettingsSkeleton() {
  return (
    <Loading label="Loading settings..." className="max-w-reading space-y-10">
      {['fee', 'policy', 'brand'].map((key) => (
        <div key={key} className="space-y-3">
          <Skeleton className="h-6 w-40" />
          <Skeleton className="w-3/4" />
          <Skeleton className="h-10 w-48" />
          <Skeleton className="h-10 w-24" />
        </div>
      ))}
    </Loading>
  );
}
