import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import { deniedMessages } from '#domain/access.ts';
import type { CalendarFeed } from '#domain/bookings/calendar-contract.ts';
import { type FeedScope, feedUseDays } from '#domain/bookings/calendar-rules.ts';
import { AppError } from '#domain/errors.ts';
import { generateToken, hashToken } from '#server/auth/sessions/open-session.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';

const feedColumns = ['scope', 'createdAt', 'readAt'] as const;

/** A person's feeds that have not been revoked. */
export function listFeeds(db: Database, userId: string): Promise<CalendarFeed[]> {
  return db
    .selectFrom('calendarFeeds')
    .select(feedColumns)
    .where('userId', '=', userId)
    .where('revokedAt', 'is', null)
    .orderBy('scope', 'desc')
    .execute();
}

/**
 * Creates the address of a feed and revokes the person's earlier address of the same scope. The address contains a
 * token of 256 random bits, of which only the hash is stored. Throws `forbidden` if a person without the coach role
 * requests a coach's feed.
 */
export async function createFeed(
  parts: { db: Database; config: { publicUrl: string } },
  person: Person,
  scope: FeedScope,
): Promise<{ feed: CalendarFeed; address: string }> {
  if (scope === 'coach' && !person.roles.includes('coach')) {
    throw new AppError('forbidden', deniedMessages.coach);
  }
  const token = generateToken();
  const feed = await parts.db.transaction().execute(async (tx) => {
    // Simultaneous calls run one after the other, because a person has only one address for each scope.
    await sql`select from profiles where user_id = ${person.userId}::uuid for no key update`.execute(tx);
    await revoke(tx, person, scope);
    const { feedId, ...created } = await tx
      .insertInto('calendarFeeds')
      .values({ userId: person.userId, scope, tokenHash: hashToken(token) })
      .returning([...feedColumns, 'feedId'])
      .executeTakeFirstOrThrow();
    await recordAudit(tx, person, {
      action: 'calendar_feed.created',
      subjectType: 'calendar_feed',
      subjectId: feedId,
      after: { scope },
    });
    return created;
  });
  return { feed, address: `${parts.config.publicUrl}/calendar/${token}.ics` };
}

/** Revokes the address of a scope, if there is one. */
export async function revokeFeed(db: Database, person: Person, scope: FeedScope): Promise<void> {
  await db.transaction().execute((tx) => revoke(tx, person, scope));
}

async function revoke(tx: Tx, person: Person, scope: FeedScope): Promise<void> {
  const revoked = await tx
    .updateTable('calendarFeeds')
    .set({ revokedAt: sql<string>`now()` })
    .where('userId', '=', person.userId)
    .where('scope', '=', scope)
    .where('revokedAt', 'is', null)
    .returning('feedId')
    .executeTakeFirst();
  if (!revoked) return;
  await recordAudit(tx, person, {
    action: 'calendar_feed.revoked',
    subjectType: 'calendar_feed',
    subjectId: revoked.feedId,
    before: { scope },
  });
}

/** A feed that can be read, found by the token of its address. */
export type OpenFeed = { feedId: string; userId: string; scope: FeedScope };

/**
 * Finds the feed of a token; null if there is none, if it was revoked, if its owner's account is deleted, or if it is a
 * coach's feed whose owner is no longer a coach. `db` must be the primary, so that a revoked address stops working
 * immediately.
 */
export async function findFeed(db: Database, token: string): Promise<OpenFeed | null> {
  const { rows } = await sql<OpenFeed>`
    select feed_id, user_id, scope from calendar_feeds feed join profiles owner using (user_id)
    where token_hash = ${hashToken(token)} and revoked_at is null and owner.deleted_at is null
      and (scope = 'customer' or owner.roles @> array[scope])`.execute(db);
  return rows[0] ?? null;
}

/** Records that a program has read a feed. Writes at most once in ten minutes. */
export async function recordReading(db: Database, { feedId }: OpenFeed): Promise<void> {
  await sql`
    update calendar_feeds set read_at = now()
    where feed_id = ${feedId}::uuid and (read_at is null or read_at < now() - interval '10 minutes')`.execute(
    db,
  );
}

/** SQL: whether a program has read this person's feed of booked lessons in the last 7 days. */
export const hasFeedInUse = (userId: string) => sql<boolean>`exists (
  select from calendar_feeds feed
  where feed.user_id = ${sql.ref(userId)} and feed.scope = 'customer' and feed.revoked_at is null
    and feed.read_at > now() - interval '1 day' * ${sql.lit(feedUseDays)})`;
