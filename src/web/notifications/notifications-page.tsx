import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { notificationsApi } from '#domain/notifications/contract.ts';
import { useApi } from '#web/app/api/api.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { PersonalPage } from '#web/app/layout/area-layout.tsx';
import { AccessDenied } from '#web/app/layout/not-shown.tsx';
import { PageSpinner } from '#web/ui/page/spinner.tsx';
import { MarkAllRead, NotificationList, useStoreCounts } from './notification-list.tsx';

/** Every notification from the last 12 months. Opening the page marks them as seen. */
export default function NotificationsScreen() {
  const { user, loading } = useAuth();
  if (loading) return <PageSpinner />;
  if (!user) return <AccessDenied message="Please sign in to see your notifications." />;
  return (
    <PersonalPage>
      <div className="w-full max-w-2xl">
        <Heading />
        <NotificationList />
      </div>
    </PersonalPage>
  );
}

function Heading() {
  const counts = useApi(notificationsApi.countNotifications, {}).data?.counts;
  const storeCounts = useStoreCounts();
  const { mutate: see, isPending } = useApiMutation(notificationsApi.markSeen);
  const isNew = (counts?.unseen ?? 0) > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `storeCounts` is a new function on each render; only `isNew` matters.
  useEffect(() => {
    if (isNew && !isPending) see({}, { onSuccess: storeCounts });
  }, [isNew]);
  return (
    <div className="mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <h1>Notifications</h1>
      <div className="flex flex-wrap gap-x-5 gap-y-2 text-sm">
        <MarkAllRead isShown={(counts?.unread ?? 0) > 0} />
        <Link
          to="/account"
          hash="notifications"
          className="font-medium text-primary underline underline-offset-4"
        >
          Preferences
        </Link>
      </div>
    </div>
  );
}
