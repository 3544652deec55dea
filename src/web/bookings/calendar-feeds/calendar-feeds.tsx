import { useState } from 'react';
import { type CalendarFeed, calendarApi } from '#domain/bookings/calendar-contract.ts';
import { type FeedScope, webcalAddress } from '#domain/bookings/calendar-rules.ts';
import { formatDay, formatTime } from '#domain/time.ts';
import { useApi } from '#web/app/api/api.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.ts';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { Loading, Skeleton } from '#web/ui/page/skeleton.tsx';

const scopeNames: Record<FeedScope, string> = {
  customer: 'Lessons you book',
  coach: 'Lessons you coach',
};

const listed = { invalidates: [calendarApi.listFeeds] };

/** The private addresses at which calendar programs read a person's lessons, one for each scope. */
export function CalendarFeeds({ scopes }: { scopes: readonly FeedScope[] }) {
  const query = useApi(calendarApi.listFeeds, {});
  return (
    <QueryView
      query={query}
      isPart
      failure="We couldn't load your calendar addresses"
      skeleton={
        <Loading label="Loading your calendar addresses..." className="space-y-3">
          <Skeleton className="h-4 w-3/5" />
          <Skeleton className="h-10 w-48" />
        </Loading>
      }
    >
      {({ feeds }) => (
        <div className="space-y-6">
          {scopes.map((scope) => (
            <Feed
              key={scope}
              scope={scope}
              feed={feeds.find((feed) => feed.scope === scope)}
              hasTitle={scopes.length > 1}
            />
          ))}
        </div>
      )}
    </QueryView>
  );
}

type FeedProps = { scope: FeedScope; feed: CalendarFeed | undefined; hasTitle: boolean };

function Feed({ scope, feed, hasTitle }: FeedProps) {
  const [asking, setAsking] = useState<'replace' | 'switchOff' | null>(null);
  const create = useApiMutation(calendarApi.createFeed, listed);
  const revoke = useApiMutation(calendarApi.revokeFeed, listed);
  // The address is known only until the person leaves the page, because the server stores only its hash.
  const address = feed && create.data?.feed.createdAt === feed.createdAt ? create.data.address : null;
  const close = () => setAsking(null);
  const onError = (error: { message: string }) => toastError(error.message);
  return (
    <div className="space-y-3">
      {hasTitle && <h3 className="text-base font-medium">{scopeNames[scope]}</h3>}
      {feed && address && <NewAddress address={address} />}
      {feed && !address && <p className="text-sm text-muted-foreground">{describeFeed(feed)}</p>}
      <div className="flex flex-wrap gap-3">
        {feed ? (
          <>
            <Button variant="secondary" onClick={() => setAsking('replace')}>
              Replace address
            </Button>
            <Button variant="ghost" className="text-destructive!" onClick={() => setAsking('switchOff')}>
              Switch off
            </Button>
          </>
        ) : (
          <Button
            variant="secondary"
            onClick={() => create.mutate({ scope }, { onError })}
            isLoading={create.isPending}
            loadingText="Creating..."
          >
            Create calendar address
          </Button>
        )}
      </div>
      <ConfirmDialog
        open={asking === 'replace'}
        onOpenChange={close}
        title="Replace this address?"
        confirmLabel="Replace address"
        isPending={create.isPending}
        pendingLabel="Replacing..."
        onConfirm={() => create.mutate({ scope }, { onError, onSettled: close })}
      >
        The current address stops working immediately. Add the new address to every calendar that uses the
        current one.
      </ConfirmDialog>
      <ConfirmDialog
        open={asking === 'switchOff'}
        onOpenChange={close}
        title="Switch off this address?"
        confirmLabel="Switch off"
        isDestructive
        isPending={revoke.isPending}
        pendingLabel="Switching off..."
        onConfirm={() =>
          revoke.mutate(
            { scope },
            { onError, onSettled: close, onSuccess: () => toastSuccess('Calendar address switched off') },
          )
        }
      >
        The address stops working immediately. You can create another at any time.
      </ConfirmDialog>
    </div>
  );
}

function NewAddress({ address }: { address: string }) {
  async function copy() {
    try {
      await navigator.clipboard.writeText(address);
      toastSuccess('Address copied', 'Paste it into your calendar app under “From URL” or “Subscribe”.');
    } catch {
      toastError("We couldn't copy the address. Select it and copy it yourself.");
    }
  }
  return (
    <div className="space-y-3 rounded-lg border bg-card p-4">
      <FormField
        label="Calendar address"
        hint="You won't see this address again, so copy it now. Anyone who has it can see these lessons, so don't share it."
      >
        <Input readOnly value={address} onFocus={({ target }) => target.select()} className="font-mono" />
      </FormField>
      <div className="flex flex-wrap gap-3">
        <Button onClick={() => void copy()}>Copy</Button>
        <Button asChild variant="secondary">
          <a href={webcalAddress(address)}>Open in calendar app</a>
        </Button>
      </div>
    </div>
  );
}

function describeFeed({ createdAt, readAt }: CalendarFeed): string {
  const now = Date.now();
  const read = readAt ? `last used ${formatDay(readAt, now)}, ${formatTime(readAt)}` : 'not used yet';
  return `Created ${formatDay(createdAt, now)}, ${read}.`;
}
