import { sql } from 'kysely';
import type { ParsedInputOf } from '#domain/endpoint.ts';
import { AppError } from '#domain/errors.ts';
import type { NotificationPreferences, notificationsApi } from '#domain/notifications/contract.ts';
import {
  canChange,
  channelNames,
  isKind,
  kinds,
  type NotificationChannel,
  type NotificationKind,
} from '#domain/notifications/kinds.ts';
import { defaultQuietHours, type QuietHours } from '#domain/notifications/quiet-hours.ts';
import type { Database } from '#server/platform/db/db.ts';

type Row = {
  choices: { kind: string; channel: string; isOn: boolean }[];
  stored: { startsAt: string | null; endsAt: string | null } | null;
  unreachable: NotificationPreferences['unreachable'];
};

/** Reads a person's choices and quiet hours, and whether email reaches the person. */
export async function readPreferences(db: Database, userId: string): Promise<NotificationPreferences> {
  const { rows } = await sql<Row>`
    select
      (select coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'channel', channel, 'isOn', is_on)
        order by kind, channel), '[]') from notification_preferences chosen where chosen.user_id = profile.user_id)
        as choices,
      (select jsonb_build_object('startsAt', to_char(starts_at, 'HH24:MI'), 'endsAt', to_char(ends_at, 'HH24:MI'))
        from quiet_hours own where own.user_id = profile.user_id) as stored,
      (select reason from suppressions where address_hash = hash_address(profile.email)) as unreachable
    from profiles profile where user_id = ${userId}::uuid`.execute(db);
  const { choices, stored, unreachable } = rows[0] ?? { choices: [], stored: null, unreachable: null };
  return {
    choices: choices.flatMap(({ kind, channel, isOn }) =>
      isKind(kind) && isChannel(channel) ? [{ kind, channel, isOn }] : [],
    ),
    quietHours: readQuietHours(stored),
    unreachable,
  };
}

const isChannel = (text: string): text is NotificationChannel => channelNames.some((name) => name === text);

/** Reads stored quiet hours. A missing row means the default, and a row without times means no quiet hours. */
export function readQuietHours(
  stored: { startsAt: string | null; endsAt: string | null } | null,
): QuietHours | null {
  if (!stored) return defaultQuietHours;
  const { startsAt, endsAt } = stored;
  return startsAt && endsAt ? { startsAt, endsAt } : null;
}

/** Switches one channel of one kind on or off. Throws `unprocessable` if the kind always or never uses the channel. */
export async function savePreference(
  db: Database,
  userId: string,
  { kind, channel, isOn }: ParsedInputOf<typeof notificationsApi.savePreference>,
): Promise<NotificationPreferences> {
  if (!canChange(kinds[kind].rules[channel])) {
    const message = "This setting can't be changed.";
    throw new AppError('unprocessable', message, { fields: { isOn: message } });
  }
  await storeChoice(db, userId, kind, channel, isOn);
  return readPreferences(db, userId);
}

/** Stores a choice without checking that the kind offers it. Does nothing for a deleted account. */
export async function storeChoice(
  db: Database,
  userId: string,
  kind: NotificationKind,
  channel: NotificationChannel,
  isOn: boolean,
): Promise<void> {
  await sql`
    insert into notification_preferences (user_id, kind, channel, is_on)
    select user_id, ${kind}, ${channel}, ${isOn} from profiles where user_id = ${userId}::uuid and deleted_at is null
    on conflict (user_id, kind, channel) do update set is_on = excluded.is_on`.execute(db);
}

/** Saves a person's quiet hours; null for none. */
export async function saveQuietHours(
  db: Database,
  userId: string,
  quietHours: QuietHours | null,
): Promise<NotificationPreferences> {
  const times = { startsAt: quietHours?.startsAt ?? null, endsAt: quietHours?.endsAt ?? null };
  await db
    .insertInto('quietHours')
    .values({ userId, ...times })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(times))
    .execute();
  return readPreferences(db, userId);
}

/** Lifts the suppression of a person's own address, after the person has said that the address works. */
export async function retryEmail(db: Database, userId: string): Promise<NotificationPreferences> {
  await sql`
    delete from suppressions using profiles
    where user_id = ${userId}::uuid and address_hash = hash_address(profiles.email)`.execute(db);
  return readPreferences(db, userId);
}
