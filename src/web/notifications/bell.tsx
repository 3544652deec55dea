import { Link, useLocation } from '@tanstack/react-router';
import BellIcon from 'lucide-react/icons/bell';
import * as Popover from 'radix-ui/popover';
import { useState } from 'react';
import { maxCounted, type NotificationCounts, notificationsApi } from '#domain/notifications/contract.ts';
import { useApi } from '#web/app/api/api.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { cn } from '#web/ui/class-names.ts';
import { MarkAllRead, NotificationList, useStoreCounts } from './notification-list.tsx';

/** How often the count is refetched, in ms, in case live updates are interrupted. */
const recountEveryMs = 60_000;
const none: NotificationCounts = { unread: 0, unseen: 0 };

/**
 * The bell in the header, with the number of unread notifications. The badge is highlighted while the person has
 * not seen every notification. Opens a list of notifications.
 */
export function Bell() {
  const { data } = useApi(notificationsApi.countNotifications, {}, { refetchInterval: recountEveryMs });
  const { unread, unseen } = data?.counts ?? none;
  const storeCounts = useStoreCounts();
  const see = useApiMutation(notificationsApi.markSeen);
  const here = useLocation({ select: ({ pathname }) => pathname });
  const [openedAt, setOpenedAt] = useState<string | null>(null);
  const close = () => setOpenedAt(null);
  function change(isOpen: boolean) {
    setOpenedAt(isOpen ? here : null);
    if (isOpen && unseen > 0) see.mutate({}, { onSuccess: storeCounts });
  }
  const shown = unread >= maxCounted ? '99+' : String(unread);
  return (
    // The list is open only on the page where it was opened, so following a link closes the list.
    <Popover.Root open={openedAt === here} onOpenChange={change}>
      <Popover.Trigger asChild>
        <Button
          variant="ghost"
          size="icon"
          className="relative"
          aria-label={unread > 0 ? `Notifications, ${shown} unread` : 'Notifications'}
        >
          <BellIcon aria-hidden className="size-5" />
          {unread > 0 && (
            <span
              aria-hidden
              className={cn(
                'absolute top-0.5 right-0 min-w-4.5 rounded-full px-1 text-center text-[11px] leading-4.5 font-semibold tabular-nums',
                unseen > 0 ? 'bg-primary text-primary-foreground' : 'border bg-card text-foreground',
              )}
            >
              {shown}
            </span>
          )}
        </Button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={6}
          collisionPadding={12}
          aria-label="Notifications"
          className="z-50 flex max-h-[min(36rem,var(--radix-popover-content-available-height))] w-[min(26rem,calc(100vw-1.5rem))] flex-col rounded-lg border bg-popover text-foreground shadow-float outline-none data-[state=closed]:animate-fade-out data-[state=open]:animate-rise-in"
        >
          <div className="flex min-h-13 items-center justify-between gap-4 border-b px-4 py-3">
            <h2 className="text-base font-semibold">Notifications</h2>
            <MarkAllRead isShown={unread > 0} />
          </div>
          <div className="grow overflow-y-auto px-4 py-1">
            <NotificationList isPart onLeave={close} />
          </div>
          <div className="flex justify-between gap-4 border-t px-4 py-3 text-sm">
            <Link to="/notifications" className="text-primary underline underline-offset-4" onClick={close}>
              See all
            </Link>
            <Link
              to="/account"
              hash="notifications"
              className="text-primary underline underline-offset-4"
              onClick={close}
            >
              Preferences
            </Link>
          </div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
