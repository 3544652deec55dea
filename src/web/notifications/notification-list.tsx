import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { MouseEvent } from 'react';
import {
  type ListedNotification,
  type NotificationCounts,
  notificationsApi,
} from '#domain/notifications/contract.ts';
import { formatDay, formatTime } from '#domain/time.ts';
import { keyOf } from '#web/app/api/api.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { usePages } from '#web/app/api/use-pages.ts';
import { Button } from '#web/ui/button.tsx';
import { cn } from '#web/ui/class-names.ts';
import { toastError } from '#web/ui/overlay/toaster.ts';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { PagedList } from '#web/ui/page/paged-list.tsx';
import { SkeletonRows } from '#web/ui/page/skeleton.tsx';

const { listNotifications, countNotifications, markRead, markAllRead } = notificationsApi;

/** Returns a function that stores the counts from a response, so that the bell and the page show them. */
export function useStoreCounts() {
  const client = useQueryClient();
  return ({ counts }: { counts: NotificationCounts }) => {
    void client.cancelQueries({ queryKey: keyOf(countNotifications) });
    client.setQueryData(keyOf(countNotifications, {}), { counts });
  };
}

/** The person's notifications, newest first, page by page. `onLeave` is called when the person opens a notification. */
export function NotificationList({ onLeave, isPart = false }: { onLeave?: () => void; isPart?: boolean }) {
  const found = usePages(listNotifications, { limit: 20 }, ({ notifications }) => notifications, {
    staleTime: 0,
  });
  return (
    <PagedList
      found={found}
      failure="Failed to load your notifications"
      more="Show older notifications"
      skeleton={<SkeletonRows count={isPart ? 4 : 6} label="Loading your notifications..." />}
      empty={
        <EmptyState title="No notifications yet" className={isPart ? 'py-6' : undefined}>
          Your bookings, changes to your lessons and reminders will appear here.
        </EmptyState>
      }
    >
      {(items) => (
        <ul className="divide-y">
          {items.map((item) => (
            <NotificationRow key={item.notificationId} item={item} onLeave={onLeave} />
          ))}
        </ul>
      )}
    </PagedList>
  );
}

function NotificationRow({
  item: { notificationId, title, summary, path, createdAt, readAt },
  onLeave,
}: {
  item: ListedNotification;
  onLeave: (() => void) | undefined;
}) {
  const router = useRouter();
  const storeCounts = useStoreCounts();
  const read = useApiMutation(markRead, { invalidates: [listNotifications] });
  const isUnread = readAt === null;
  function open(event: MouseEvent) {
    if (isUnread) read.mutate({ notificationId }, { onSuccess: storeCounts });
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onLeave?.();
    void router.navigate({ href: path });
  }
  return (
    <li>
      <a
        href={path}
        onClick={open}
        className="-mx-2 flex gap-3 rounded-md px-2 py-3 text-sm hover:bg-accent focus-visible:-outline-offset-2"
      >
        <span
          aria-hidden
          className={cn('mt-1.5 size-2 shrink-0 rounded-full', isUnread ? 'bg-primary' : 'bg-transparent')}
        />
        <span className="min-w-0 grow">
          <span className={cn('block text-pretty', isUnread && 'font-medium')}>
            {isUnread && <span className="sr-only">Unread: </span>}
            {title}
          </span>
          {summary && <span className="mt-0.5 block text-pretty text-muted-foreground">{summary}</span>}
          <span className="mt-0.5 block text-xs text-muted-foreground tabular-nums">
            {formatDay(createdAt, Date.now())}, {formatTime(createdAt)}
          </span>
        </span>
      </a>
    </li>
  );
}

export function MarkAllRead({ isShown }: { isShown: boolean }) {
  const storeCounts = useStoreCounts();
  const mark = useApiMutation(markAllRead, { invalidates: [listNotifications] });
  if (!isShown) return null;
  return (
    <Button
      variant="link"
      isLoading={mark.isPending}
      loadingText="Marking..."
      onClick={() =>
        mark.mutate({}, { onSuccess: storeCounts, onError: (error) => toastError(error.message) })
      }
    >
      Mark all as read
    </Button>
  );
}
