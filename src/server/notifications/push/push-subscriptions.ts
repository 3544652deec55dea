import { createECDH, createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { ParsedInputOf } from '#domain/endpoint.ts';
import { AppError } from '#domain/errors.ts';
import type { Push, pushApi } from '#domain/notifications/push-contract.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db/db.ts';
import type { EncryptedTable } from '#server/platform/db/re-encrypt.ts';
import { decryptText, encryptText } from '#server/platform/encryption.ts';
import { refuseEndpoint } from './push-request.ts';

type Parts = { db: Database; config: Pick<Config, 'dataKeys' | 'push'> };
type Caller = { userId: string; sessionId: string };

/** A browser's subscription as it is stored; `publicKey` is the VAPID key that it was made with. */
type StoredSubscription = ParsedInputOf<typeof pushApi.subscribe> & { publicKey: string };

/** A browser that gets the person's push notifications. */
export type PushDevice = { sessionId: string; endpointHash: string } & StoredSubscription;

const contextOf = (sessionId: string) => `push subscription of session ${sessionId}`;

/** Subscriptions, which are encrypted with `DATA_KEY`. */
export const encryptedPushSubscriptions: EncryptedTable = {
  table: 'push_subscriptions',
  key: ['session_id'],
  contexts: { subscription_encrypted: ({ sessionId }) => contextOf(sessionId!) },
};

/** Whether the browser of this session gets push notifications, and the key with which it can subscribe. */
export async function readPush({ db, config }: Parts, { sessionId }: Caller): Promise<Push> {
  const publicKey = config.push?.publicKey ?? null;
  const row = await db
    .selectFrom('pushSubscriptions')
    .select(['sessionId', 'endpointHash', 'subscriptionEncrypted'])
    .where('sessionId', '=', sessionId)
    .executeTakeFirst();
  return { publicKey, isOn: row !== undefined && toDevice(config, row).publicKey === publicKey };
}

/**
 * Stores the subscription of this session's browser and replaces an earlier one. A browser that was
 * subscribed for someone else is then subscribed for this person only. Throws `unprocessable` for an address
 * or a key that cannot be a browser's and if push is not set up, and `unauthenticated` if the session has
 * just ended.
 */
export async function subscribe(
  parts: Parts,
  { userId, sessionId }: Caller,
  given: ParsedInputOf<typeof pushApi.subscribe>,
): Promise<Push> {
  const { db, config } = parts;
  const { endpoint, p256dh } = given;
  if (!config.push) throw new AppError('unprocessable', "Push notifications aren't available here.");
  const problem = refuseEndpoint(endpoint);
  if (problem) throw new AppError('unprocessable', problem, { fields: { endpoint: problem } });
  if (!isPublicKey(p256dh)) {
    const message = "This isn't a valid push key.";
    throw new AppError('unprocessable', message, { fields: { p256dh: message } });
  }
  const stored: StoredSubscription = { ...given, publicKey: config.push.publicKey };
  const encrypted = encryptText(config.dataKeys, JSON.stringify(stored), contextOf(sessionId));
  const endpointHash = createHash('sha256').update(endpoint).digest('hex');
  await db.transaction().execute(async (tx) => {
    // Waits for a sign-out that is under way, and makes a later one wait, so that no ended session keeps a
    // subscription.
    const { rows } = await sql`
      select from sessions join profiles using (user_id)
      where session_id = ${sessionId}::uuid and user_id = ${userId}::uuid and ended_at is null
        and profiles.deleted_at is null for no key update of sessions`.execute(tx);
    if (rows.length === 0) {
      throw new AppError('unauthenticated', 'Your session has ended. Please sign in again.');
    }
    await tx.deleteFrom('pushSubscriptions').where('sessionId', '=', sessionId).execute();
    const row = { sessionId, userId, subscriptionEncrypted: encrypted };
    await tx
      .insertInto('pushSubscriptions')
      .values({ ...row, endpointHash })
      .onConflict((conflict) =>
        conflict.column('endpointHash').doUpdateSet({ ...row, createdAt: sql<string>`now()` }),
      )
      .execute();
  });
  return readPush(parts, { userId, sessionId });
}

/** Ends the subscription of this session's browser. */
export async function unsubscribe(parts: Parts, caller: Caller): Promise<Push> {
  await parts.db.deleteFrom('pushSubscriptions').where('sessionId', '=', caller.sessionId).execute();
  return readPush(parts, caller);
}

/** Deletes a subscription that the push service no longer knows, unless the browser has subscribed again since. */
export async function forgetDevice(
  db: Database,
  { sessionId, endpointHash }: Pick<PushDevice, 'sessionId' | 'endpointHash'>,
): Promise<void> {
  await db
    .deleteFrom('pushSubscriptions')
    .where('sessionId', '=', sessionId)
    .where('endpointHash', '=', endpointHash)
    .execute();
}

/** The browsers that have not accepted a notification yet, and the sessions of those that have. */
export async function listWaitingDevices(
  { db, config }: Parts,
  { notificationId, userId }: { notificationId: string; userId: string },
): Promise<{ devices: PushDevice[]; acceptedBy: string[] }> {
  const { rows } = await sql<{ acceptedBy: string[] | null }>`
    select accepted_by from deliveries
    where notification_id = ${notificationId}::uuid and channel = 'push'`.execute(db);
  const acceptedBy = rows[0]?.acceptedBy ?? [];
  const found = await db
    .selectFrom('pushSubscriptions')
    .select(['sessionId', 'endpointHash', 'subscriptionEncrypted'])
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .execute();
  const waiting = found.filter(({ sessionId }) => !acceptedBy.includes(sessionId));
  return { devices: waiting.map((row) => toDevice(config, row)), acceptedBy };
}

/** Records which browsers have accepted a notification, before the others are tried again. */
export async function recordAccepted(
  db: Database,
  notificationId: string,
  sessionIds: string[],
): Promise<void> {
  await sql`update deliveries set accepted_by = ${sessionIds}::uuid[]
    where notification_id = ${notificationId}::uuid and channel = 'push'`.execute(db);
}

function toDevice(
  { dataKeys }: Pick<Config, 'dataKeys'>,
  row: { sessionId: string; endpointHash: string; subscriptionEncrypted: string },
): PushDevice {
  const { sessionId, endpointHash, subscriptionEncrypted } = row;
  const text = decryptText(dataKeys, subscriptionEncrypted, contextOf(sessionId));
  return { sessionId, endpointHash, ...(JSON.parse(text) as StoredSubscription) };
}

/** Whether the key is a point on the curve P-256. With any other key, no message could be encrypted. */
function isPublicKey(p256dh: string): boolean {
  const own = createECDH('prime256v1');
  own.generateKeys();
  try {
    own.computeSecret(Buffer.from(p256dh, 'base64url'));
    return true;
  } catch {
    return false;
  }
}
