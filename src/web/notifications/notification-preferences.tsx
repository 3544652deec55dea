import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import {
  notificationsApi,
  type NotificationPreferences as Preferences,
} from '#domain/notifications/contract.ts';
import {
  type Audience,
  audiences,
  canChange,
  channelNames,
  channels,
  isChannelOn,
  kindNames,
  kindOf,
  type NotificationChannel,
  type NotificationKind,
} from '#domain/notifications/kinds.ts';
import { pushApi } from '#domain/notifications/push-contract.ts';
import { defaultQuietHours } from '#domain/notifications/quiet-hours.ts';
import { keyOf, useApi } from '#web/app/api/api.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/form/checkbox.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { Switch } from '#web/ui/form/switch.tsx';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.ts';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { SkeletonRows } from '#web/ui/page/skeleton.tsx';
import { PushOnThisDevice } from './push/push-on-this-device.tsx';

const { getPreferences, savePreference, saveQuietHours, removeQuietHours, retryEmail } = notificationsApi;

function useStorePreferences() {
  const client = useQueryClient();
  return ({ preferences }: { preferences: Preferences }) =>
    client.setQueryData(keyOf(getPreferences, {}), { preferences });
}

/** Lets a person choose how they are notified, by kind and channel, and their quiet hours. */
export function NotificationPreferences() {
  const { profile } = useAuth();
  const found = useApi(getPreferences, {});
  // Until the response arrives, push counts as set up, because it usually is.
  const hasPush = useApi(pushApi.getPush, {}).data?.push.publicKey !== null;
  const shownChannels = channelNames.filter((channel) => channel !== 'push' || hasPush);
  const shown = (Object.keys(audiences) as Audience[]).filter(
    (audience) => audience === 'all' || profile?.roles.includes(audience),
  );
  return (
    <QueryView
      query={found}
      isPart
      failure="Failed to load your preferences"
      skeleton={<SkeletonRows count={5} label="Loading your preferences..." />}
    >
      {({ preferences }) => (
        <>
          <PushOnThisDevice />
          {shown.map((audience) => (
            <KindTable
              key={audience}
              audience={audience}
              channels={shownChannels}
              preferences={preferences}
            />
          ))}
          <QuietHoursForm key={JSON.stringify(preferences.quietHours)} preferences={preferences} />
        </>
      )}
    </QueryView>
  );
}

type TableProps = { channels: readonly NotificationChannel[]; preferences: Preferences };

function KindTable({ audience, channels: shownChannels, preferences }: TableProps & { audience: Audience }) {
  const listed = kindNames.filter((kind) => kindOf(kind).audience === audience);
  return (
    <table className="mb-8 w-full text-sm">
      <caption className="pb-2 text-left font-semibold">{audiences[audience]}</caption>
      <thead className="text-xs text-muted-foreground">
        <tr className="border-b">
          <th scope="col" className="py-2 pr-4 text-left font-normal">
            <span className="sr-only">What happens</span>
          </th>
          {shownChannels.map((channel) => (
            <th key={channel} scope="col" className="w-14 px-1 py-2 text-center font-normal sm:w-20 sm:px-2">
              {channels[channel].label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y">
        {listed.map((kind) => (
          <KindRow key={kind} kind={kind} channels={shownChannels} preferences={preferences} />
        ))}
      </tbody>
    </table>
  );
}

function KindRow({ kind, channels: shownChannels, preferences }: TableProps & { kind: NotificationKind }) {
  const { label, lockedBecause } = kindOf(kind);
  return (
    <tr>
      <th scope="row" className="py-3 pr-4 text-left font-normal text-pretty">
        {label}
        {lockedBecause && <span className="block text-xs text-muted-foreground">{lockedBecause}</span>}
      </th>
      {shownChannels.map((channel) => (
        <td key={channel} className="px-1 py-3 text-center align-top sm:px-2">
          <ChannelBox kind={kind} channel={channel} preferences={preferences} />
        </td>
      ))}
    </tr>
  );
}

function ChannelBox({
  kind,
  channel,
  preferences,
}: {
  kind: NotificationKind;
  channel: NotificationChannel;
  preferences: Preferences;
}) {
  const { label, rules } = kindOf(kind);
  const storePreferences = useStorePreferences();
  const save = useApiMutation(savePreference);
  const choice = preferences.choices.find((one) => one.kind === kind && one.channel === channel)?.isOn;
  // The box shows a choice while it is still being saved.
  const isOn = save.isPending ? save.variables.isOn : isChannelOn(rules[channel], choice);
  const isLocked = !canChange(rules[channel]);
  return (
    <Checkbox
      aria-label={`${label}: ${channels[channel].label}${isLocked ? ` (always ${isOn ? 'on' : 'off'})` : ''}`}
      checked={isOn}
      disabled={isLocked}
      onChange={({ target }) =>
        save.mutate(
          { kind, channel, isOn: target.checked },
          { onSuccess: storePreferences, onError: (error) => toastError(error.message) },
        )
      }
    />
  );
}

function QuietHoursForm({ preferences: { quietHours } }: { preferences: Preferences }) {
  const storePreferences = useStorePreferences();
  const save = useApiMutation(saveQuietHours);
  const remove = useApiMutation(removeQuietHours);
  const [times, setTimes] = useState(quietHours ?? defaultQuietHours);
  const onError = (error: Error) => toastError(error.message);
  const turnOff = () => remove.mutate({}, { onSuccess: storePreferences, onError });
  const store = () =>
    save.mutate(times, {
      onSuccess: (saved) => {
        toastSuccess(`Quiet hours saved: ${times.startsAt} to ${times.endsAt}`);
        storePreferences(saved);
      },
      onError,
    });
  function submit(event: FormEvent) {
    event.preventDefault();
    store();
  }
  return (
    <form onSubmit={submit} className="border-t pt-4">
      <Switch
        label="Quiet hours"
        hint="Push notifications wait until quiet hours end, unless a lesson that starts within 12 hours is cancelled or moved. Email isn't affected."
        checked={!remove.isPending && (quietHours !== null || save.isPending)}
        onChange={({ target }) => (target.checked ? store() : turnOff())}
      />
      {quietHours && (
        <div className="mt-3 flex flex-wrap items-end gap-3">
          <FormField label="From" className="w-32">
            <Input
              type="time"
              required
              value={times.startsAt}
              onChange={({ target }) => setTimes({ ...times, startsAt: target.value })}
            />
          </FormField>
          <FormField label="Until" className="w-32">
            <Input
              type="time"
              required
              value={times.endsAt}
              onChange={({ target }) => setTimes({ ...times, endsAt: target.value })}
            />
          </FormField>
          <Button type="submit" variant="secondary" isLoading={save.isPending} loadingText="Saving...">
            Save quiet hours
          </Button>
        </div>
      )}
    </form>
  );
}

/** Shown on the account page if we no longer email notifications to the person's address. */
export function UnreachableNotice() {
  const { user } = useAuth();
  const storePreferences = useStorePreferences();
  const retry = useApiMutation(retryEmail);
  const reason = useApi(getPreferences, {}).data?.preferences.unreachable;
  if (!reason || !user) return null;
  return (
    <div role="alert" className="mb-8 rounded-lg border border-warning bg-warning-soft p-4 text-sm">
      <p className="font-medium">
        {reason === 'bounced' ? "We can't reach you at" : "We've stopped some emails to"} {user.email}
      </p>
      <p className="mt-1 text-pretty">
        {reason === 'bounced'
          ? "Our emails to this address came back, so we've stopped sending receipts, lesson changes and reminders to it. Change your email address below, or check your mailbox and try again."
          : "One of our emails was reported as spam, so we've stopped sending receipts, lesson changes and reminders to this address."}
      </p>
      <Button
        variant="secondary"
        className="mt-3"
        isLoading={retry.isPending}
        loadingText="One moment..."
        onClick={() =>
          retry.mutate(
            {},
            {
              onSuccess: (saved) => {
                storePreferences(saved);
                toastSuccess('Email is on again', `We'll send your emails to ${user.email} again.`);
              },
              onError: (error) => toastError(error.message),
            },
          )
        }
      >
        {reason === 'bounced' ? 'Try this address again' : 'Send me emails again'}
      </Button>
    </div>
  );
}
