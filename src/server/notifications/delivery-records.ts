import { setTimeout as delay } from 'node:timers/promises';
import { type Selectable, sql } from 'kysely';
import type { DeliveryChannel, NotificationKind } from '#domain/notifications/kinds.ts';
import { classifyDatabaseFailure } from '#server/platform/db/database-failure.ts';
import type { Database } from '#server/platform/db/db.ts';
import type { DB } from '#server/platform/db/db-types.ts';
import type { Draft } from './write-notifications.ts';

type DeliveryRow = Selectable<DB['deliveries']>;

/** A delivery, as read by the job that sends it. */
export type DeliveryRecord = {
  status: DeliveryRow['status'];
  createdAt: string;
  notification: { notificationId: string } & StoredNotification;
  email: string;
  isDeleted: boolean;
  /** The person's choice for this kind and channel; null if they made none. */
  choice: boolean | null;
  /** Whether an email to the address bounced or was reported as spam. */
  isSuppressed: boolean;
  /**
   * London times, both null if the person wants no quiet hours; null for a person who has kept the default.
   */
  quietHours: { startsAt: string | null; endsAt: string | null } | null;
};

export type StoredNotification = {
  userId: string;
  kind: NotificationKind;
  subjectId: string;
  version: string;
  title: string;
  path: string;
  params: Record<string, unknown>;
  createdAt: string;
};

/** Reads a delivery with everything that decides whether it is sent; undefined if the delivery does not exist. */
export async function readDelivery(
  db: Database,
  notificationId: string,
  channel: DeliveryChannel,
): Promise<DeliveryRecord | undefined> {
  const { rows } = await sql<DeliveryRecord>`
    select delivery.status, delivery.created_at,
      jsonb_build_object('notificationId', notification_id, 'userId', user_id, 'kind', kind, 'subjectId', subject_id,
        'version', version, 'title', title, 'path', path, 'params', params, 'createdAt', notification.created_at) as notification,
      profile.email, profile.deleted_at is not null as is_deleted,
      (select is_on from notification_preferences chosen
        where chosen.user_id = profile.user_id and chosen.kind = notification.kind
          and chosen.channel = delivery.channel) as choice,
      exists (select from suppressions where address_hash = hash_address(profile.email)) as is_suppressed,
      (select jsonb_build_object('startsAt', to_char(starts_at, 'HH24:MI'), 'endsAt', to_char(ends_at, 'HH24:MI'))
        from quiet_hours where quiet_hours.user_id = profile.user_id) as quiet_hours
    from deliveries delivery join notifications notification using (notification_id) join profiles profile using (user_id)
    where notification_id = ${notificationId}::uuid and delivery.channel = ${channel}`.execute(db);
  return rows[0];
}

/** How a delivery ended. `to`: for an email, the recipient's address, whether or not the email was sent. */
export type DeliveryEnd = {
  notificationId: string;
  channel: DeliveryChannel;
  status: Exclude<DeliveryRow['status'], 'queued'>;
  reason?: DeliveryRow['reason'];
  to?: string;
};

/** Records how a delivery ended, unless that is recorded already. Returns whether this call recorded it. */
export async function endDelivery(
  db: Database,
  { notificationId, channel, status, reason, to }: DeliveryEnd,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into deliveries (notification_id, channel, status, reason, address_hash, ended_at)
    values (${notificationId}::uuid, ${channel}, ${status}, ${reason ?? null}, hash_address(${to ?? null}), now())
    on conflict (notification_id, channel) do update
      set status = excluded.status, reason = excluded.reason, address_hash = excluded.address_hash,
        ended_at = excluded.ended_at
      where deliveries.status = 'queued'`.execute(db);
  return Number(numAffectedRows) > 0;
}

/** How long recording a sent message is retried, and the delay between attempts, in ms. */
const recordForMs = 60_000;
const recordAgainMs = 500;

/**
 * Records that a message was sent. While the database is unavailable, for example during a failover, tries again for a
 * minute: the job would otherwise fail, run again and send the message twice. After that, throws the database's error.
 */
export async function recordSent(db: Database, delivery: Omit<DeliveryEnd, 'status'>): Promise<void> {
  for (const until = Date.now() + recordForMs; ; await delay(recordAgainMs)) {
    try {
      await endDelivery(db, { ...delivery, status: 'sent' });
      return;
    } catch (error) {
      if (!classifyDatabaseFailure(error) || Date.now() > until) throw error;
    }
  }
}

/**
 * Finds the notification that an earlier run of an event's job wrote without sending or queuing its email. Undefined if
 * there is none, or if the event has no version.
 */
export async function findUndelivered(
  db: Database,
  { userId, kind, subjectId, version }: Draft,
): Promise<string | undefined> {
  if (version === undefined) return undefined;
  const { rows } = await sql<{ notificationId: string }>`
    select notification_id from notifications
    where user_id = ${userId}::uuid and kind = ${kind} and subject_id = ${subjectId}::uuid and version = ${version}
      and not exists (select from deliveries
        where deliveries.notification_id = notifications.notification_id and channel = 'email')`.execute(db);
  return rows[0]?.notificationId;
}
