import { notificationsApi } from '#domain/notifications/contract.ts';
import { pushApi } from '#domain/notifications/push-contract.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db/db.ts';
import { type Route, route } from '#server/platform/http/http.ts';
import { readPreferences, retryEmail, savePreference, saveQuietHours } from './preferences.ts';
import { readPush, subscribe, unsubscribe } from './push/push-subscriptions.ts';
import { countNotifications, listNotifications, markRead, markSeen } from './read-notifications.ts';

/** The endpoints of the bell, the list of notifications, the preferences and push. */
export function notificationRoutes({
  db,
  config,
}: {
  db: Database;
  config: Pick<Config, 'dataKeys' | 'push'>;
}): Route[] {
  const parts = { db, config };
  return [
    route(notificationsApi.listNotifications, (input, { userId }) => listNotifications(db, userId, input)),
    route(notificationsApi.countNotifications, async (_, { userId }) => ({
      counts: await countNotifications(db, userId),
    })),
    route(notificationsApi.markSeen, async (_, { userId }) => ({ counts: await markSeen(db, userId) })),
    route(notificationsApi.markRead, async ({ notificationId }, { userId }) => ({
      counts: await markRead(db, userId, notificationId),
    })),
    route(notificationsApi.markAllRead, async (_, { userId }) => ({ counts: await markRead(db, userId) })),
    route(notificationsApi.getPreferences, async (_, { userId }) => ({
      preferences: await readPreferences(db, userId),
    })),
    route(notificationsApi.savePreference, async (input, { userId }) => ({
      preferences: await savePreference(db, userId, input),
    })),
    route(notificationsApi.saveQuietHours, async (quietHours, { userId }) => ({
      preferences: await saveQuietHours(db, userId, quietHours),
    })),
    route(notificationsApi.removeQuietHours, async (_, { userId }) => ({
      preferences: await saveQuietHours(db, userId, null),
    })),
    route(notificationsApi.retryEmail, async (_, { userId }) => ({
      preferences: await retryEmail(db, userId),
    })),
    route(pushApi.getPush, async (_, person) => ({ push: await readPush(parts, person) })),
    route(pushApi.subscribe, async (given, person) => ({ push: await subscribe(parts, person, given) })),
    route(pushApi.unsubscribe, async (_, person) => ({ push: await unsubscribe(parts, person) })),
  ];
}
