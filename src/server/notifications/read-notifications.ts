import { sql } from 'kysely';
import type { OutputOf, ParsedInputOf } from '#domain/endpoint.ts';
import { AppError } from '#domain/errors.ts';
import {
  maxCounted,
  type NotificationCounts,
  type notificationsApi,
} from '#domain/notifications/contract.ts';
import type { Database } from '#server/platform/db/db.ts';
import { cutPage, readPageCursor, rowsOfPage } from '#server/platform/db/page-cursor.ts';

/** A page of a person's notifications, newest first. */
export async function listNotifications(
  db: Database,
  userId: string,
  { cursor, limit }: ParsedInputOf<typeof notificationsApi.listNotifications>,
): Promise<OutputOf<typeof notificationsApi.listNotifications>> {
  const after = readPageCursor(cursor);
  const rows = await db
    .selectFrom('notifications')
    .select(['notificationId', 'kind', 'title', 'summary', 'path', 'createdAt', 'readAt'])
    .where('userId', '=', userId)
    .where('isListed', '=', true)
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(created_at, notification_id) < (${after!.time}::timestamptz, ${after!.id}::uuid)`,
      ),
    )
    .orderBy('createdAt', 'desc')
    .orderBy('notificationId', 'desc')
    .limit(rowsOfPage(limit))
    .execute();
  const { page, nextCursor } = cutPage(rows, limit, ({ createdAt, notificationId }) => ({
    time: createdAt,
    id: notificationId,
  }));
  return { notifications: page, nextCursor };
}

/** Counts a person's unread notifications and, among them, the unseen ones, up to {@link maxCounted}. */
export async function countNotifications(db: Database, userId: string): Promise<NotificationCounts> {
  const { rows } = await sql<NotificationCounts>`
    select count(*)::int as unread, count(*) filter (where seen_at is null)::int as unseen
    from (select seen_at from notifications
      where user_id = ${userId}::uuid and is_listed and read_at is null
      order by seen_at is not null limit ${maxCounted}) counted`.execute(db);
  return rows[0]!;
}

/** Marks all of a person's notifications as seen; called when the person opens the list. */
export async function markSeen(db: Database, userId: string): Promise<NotificationCounts> {
  await sql`
    update notifications set seen_at = now()
    where user_id = ${userId}::uuid and is_listed and read_at is null and seen_at is null`.execute(db);
  return countNotifications(db, userId);
}

/**
 * Marks one notification as read, or all if no id is given. Throws `not_found` for an unknown id and for
 * another person's notification.
 */
export async function markRead(
  db: Database,
  userId: string,
  notificationId?: string,
): Promise<NotificationCounts> {
  if (notificationId) {
    const own = await db
      .selectFrom('notifications')
      .select('notificationId')
      .where('notificationId', '=', notificationId)
      .where('userId', '=', userId)
      .executeTakeFirst();
    if (!own) throw new AppError('not_found', 'This notification no longer exists.');
  }
  await sql`
    update notifications set read_at = now(), seen_at = coalesce(seen_at, now())
    where user_id = ${userId}::uuid and is_listed and read_at is null
      and (${notificationId ?? null}::uuid is null or notification_id = ${notificationId ?? null}::uuid)`.execute(
    db,
  );
  return countNotifications(db, userId);
}
