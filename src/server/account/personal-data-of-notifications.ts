import { sql } from 'kysely';
import type { Register } from './personal-data-entry.ts';

/** The register's entries for notifications. */
export const notificationTables: Register<
  | 'deliveries'
  | 'notifications'
  | 'notificationPreferences'
  | 'pushSubscriptions'
  | 'quietHours'
  | 'suppressions'
  | 'reminderProgress'
> = {
  deliveries: {
    purpose: 'Whether a notification was sent by email and push, so that it is sent only once.',
    rowsOf: ({ userId }) =>
      sql`notification_id in (select notification_id from notifications where user_id = ${userId}::uuid)`,
    erasure: { text: 'Deleted.', deletes: true },
    retention: { text: 'As long as the notification.' },
    columns: {
      notificationId: 'exported',
      channel: 'exported',
      status: 'exported',
      reason: 'exported',
      addressHash: 'secret',
      acceptedBy: 'exported',
      createdAt: 'exported',
      endedAt: 'exported',
    },
  },
  notifications: {
    purpose: 'The notifications to a person, and whether the person has read them.',
    rowsOf: ({ userId }) => sql`(user_id = ${userId}::uuid or about_user_id = ${userId}::uuid)`,
    erasure: { text: "Deleted, including other people's notifications that name the person.", deletes: true },
    retention: { text: '12 months.', isOver: sql<boolean>`created_at < now() - interval '12 months'` },
    columns: {
      notificationId: 'exported',
      userId: 'others',
      aboutUserId: 'others',
      kind: 'exported',
      subjectId: 'exported',
      version: 'exported',
      title: 'exported',
      summary: 'exported',
      path: 'exported',
      params: 'exported',
      isListed: 'exported',
      createdAt: 'exported',
      // The person named in a notification must not learn whether its recipient has read it.
      seenAt: ({ userId }) => sql`case when user_id = ${userId}::uuid then seen_at end`,
      readAt: ({ userId }) => sql`case when user_id = ${userId}::uuid then read_at end`,
    },
  },
  notificationPreferences: {
    purpose: 'Which notifications a person has switched on or off.',
    rowsOf: ({ userId }) => sql`user_id = ${userId}::uuid`,
    erasure: { text: 'Deleted.', deletes: true },
    retention: { text: 'Until the account is deleted.' },
    columns: { userId: 'exported', kind: 'exported', channel: 'exported', isOn: 'exported' },
  },
  pushSubscriptions: {
    purpose: 'The browsers in which a person has turned push notifications on, and how to reach them.',
    rowsOf: ({ userId }) => sql`user_id = ${userId}::uuid`,
    erasure: { text: 'Deleted.', deletes: true },
    retention: {
      text: 'Until the person turns off push notifications, the session ends or the push service reports that the subscription has expired.',
    },
    columns: {
      sessionId: 'exported',
      userId: 'exported',
      endpointHash: 'secret',
      subscriptionEncrypted: 'secret',
      createdAt: 'exported',
    },
  },
  quietHours: {
    purpose:
      'The hours in which a person wants no push notifications, if the person has changed the default.',
    rowsOf: ({ userId }) => sql`user_id = ${userId}::uuid`,
    erasure: { text: 'Deleted.', deletes: true },
    retention: { text: 'Until the account is deleted.' },
    columns: { userId: 'exported', startsAt: 'exported', endsAt: 'exported' },
  },
  suppressions: {
    purpose: 'Hashes of email addresses that rejected our emails or whose owners reported an email as spam.',
    rowsOf: ({ email }) => sql`address_hash = hash_address(${email})`,
    erasure: { text: 'Deleted.', deletes: true },
    retention: {
      text: '3 years, or until the person asks us to try the address again.',
      isOver: sql<boolean>`created_at < now() - interval '3 years'`,
    },
    columns: { addressHash: 'secret', reason: 'exported', createdAt: 'exported' },
  },
  reminderProgress: {
    reason: 'The time up to which reminders have been queued.',
    retention: { text: 'As long as the product is in use.' },
    columns: { kind: 'impersonal', pickedUntil: 'impersonal' },
  },
};
