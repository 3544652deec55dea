import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Message, NotificationMessage } from '#domain/message.ts';
import { type DeliveryChannel, kinds, type NotificationKind } from '#domain/notifications/kinds.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { addJob } from '#server/platform/jobs/enqueue.ts';

/** The event that a notification is about. */
export type NotificationEvent = {
  kind: NotificationKind;
  /** The booking, lesson, payrun or person that the event is about. */
  subjectId: string;
  /** Distinguishes events of one kind about one subject. If omitted, each call is a new event. */
  version?: string;
  /**
   * The person whom the message's subject or summary names, if there is one: deleting that account deletes the
   * notification. The subject and summary may name nobody else, because the app stores them. The body may name others.
   */
  aboutUserId?: string;
  /** The values that decide, when the notification is sent, whether it is still true. */
  params?: Record<string, unknown>;
};

/** A notification that one person should get. */
export type Draft = NotificationEvent & {
  userId: string;
  message: NotificationMessage;
  /** The channel that the caller delivers through; deliveries through the others are queued. */
  deliversNow?: DeliveryChannel;
  /** If true, the queued job does not carry the message; it is composed when it is sent: {@link Composers}. */
  isComposedLater?: boolean;
};

/** SQL: whether a channel reaches the person in the row `profile`. */
const reach = {
  email: sql`profile.email <> ''`,
  push: sql`exists (select from push_subscriptions browser where browser.user_id = profile.user_id)`,
} satisfies Record<DeliveryChannel, RawBuilder<unknown>>;

/**
 * Writes notifications and queues their deliveries, in one statement. Leaves out notifications that exist already, and
 * those for deleted accounts. Returns the ids of the notifications that the caller has to deliver now.
 */
export async function writeNotifications(db: Database | Tx, drafts: Draft[]): Promise<string[]> {
  if (drafts.length === 0) return [];
  const given = drafts.map(({ message, isComposedLater, ...draft }) => ({
    version: randomUUID(),
    params: {},
    ...draft,
    ...describe(draft.kind, message, isComposedLater),
  }));
  return write(
    db,
    sql`select * from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as given (
      "userId" uuid, "aboutUserId" uuid, kind text, "subjectId" uuid, version text, params jsonb, title text,
      summary text, path text, rules jsonb, message jsonb, "deliversNow" text)`,
  );
}

/**
 * Notifies everyone whose user id the SQL selects. Each recipient is the subject of their own notification. Uses one
 * statement, because there may be thousands of recipients.
 */
export async function writeToAll(
  db: Database | Tx,
  userIds: RawBuilder<unknown>,
  { kind, version = randomUUID() }: { kind: NotificationKind; version?: string },
  message: NotificationMessage,
): Promise<void> {
  const { title, summary, path, rules, message: sent } = describe(kind, message, false);
  await write(
    db,
    sql`select chosen.id as "userId", null::uuid as "aboutUserId", ${kind}::text as kind, chosen.id as "subjectId",
      ${version}::text as version, '{}'::jsonb as params, ${title}::text as title, ${summary}::text as summary,
      ${path}::text as path, ${JSON.stringify(rules)}::jsonb as rules, ${JSON.stringify(sent)}::jsonb as message,
      null::text as "deliversNow"
      from (${userIds}) chosen (id)`,
  );
}

function describe(
  kind: NotificationKind,
  message: NotificationMessage,
  isComposedLater: boolean | undefined,
) {
  const { summary, action } = message;
  return {
    title: cut(message.subject, 300),
    summary: cut(summary, 600),
    path: action.path,
    rules: kinds[kind].rules,
    message: isComposedLater ? null : message,
  };
}

/** Cuts a text between code points, because PostgreSQL refuses half of an emoji as invalid JSON. */
function cut(text: string, length: number): string {
  const characters = [...text];
  if (characters.length <= length) return text;
  const start = characters.slice(0, length - 1).join('');
  return `${start.trimEnd()}…`;
}

async function write(db: Database | Tx, given: RawBuilder<unknown>): Promise<string[]> {
  const channels = sql.join(
    Object.entries(reach).map(([channel, reaches]) => sql`(${sql.lit(channel)}, ${reaches})`),
  );
  const { rows } = await sql<{ now: string[] }>`
    with given (user_id, about_user_id, kind, subject_id, version, params, title, summary, path, rules, message,
      delivers_now) as (${given}
    ), fresh as (
      insert into notifications (user_id, about_user_id, kind, subject_id, version, params, title, summary, path,
        is_listed)
      select user_id, about_user_id, kind, subject_id, version, params, title, summary, path,
        is_channel_on(user_id, kind, 'inApp', rules ->> 'inApp')
      from given join profiles using (user_id) where deleted_at is null
      on conflict on constraint notifications_once do nothing
      returning notification_id, user_id, kind, subject_id, version
    ), wanted as (
      select notification_id, channel.name as channel, given.message,
        channel.name = given.delivers_now and not exists (
          select from suppressions where address_hash = hash_address(profile.email)) as is_now
      from fresh join given using (user_id, kind, subject_id, version) join profiles profile using (user_id)
        cross join lateral (values ${channels}) as channel (name, reaches)
      where channel.reaches and is_channel_on(user_id, kind, channel.name, given.rules ->> channel.name)
    ), queued as (
      insert into deliveries (notification_id, channel)
      select notification_id, channel from wanted where is_now is not true
      returning notification_id, channel
    ), job as (
      select ${addJob('notifications.deliver', {
        notificationId: sql<string>`notification_id`,
        channel: sql<DeliveryChannel>`channel`,
        message: sql<Message | null>`message`,
      })} as queued from queued join wanted using (notification_id, channel)
    )
    select (select count(queued) from job) as jobs,
      array(select notification_id::text from wanted where is_now) as now`.execute(db);
  return rows[0]!.now;
}
