import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Database, Tx } from '../db/db.ts';

/** At most `calls` calls in a period of `seconds`, which begins with the first call. */
export type RateLimit = { calls: number; seconds: number };

/** The database's clock in milliseconds since 1970, the unit of `rate_limits.expires_at_ms`. */
export const nowMs = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/** A call to be counted and its limit. */
export type LimitedCall = { key: string; limit: RateLimit };

const countAgain = sql`
  calls = case when rate_limits.expires_at_ms <= ${nowMs} then 1 else rate_limits.calls + 1 end,
  expires_at_ms = case when rate_limits.expires_at_ms <= ${nowMs} then excluded.expires_at_ms
    else rate_limits.expires_at_ms end`;

/**
 * The statement that counts one call per key, for use in a `with`: returns `key`, `is_over` and `wait_ms`. Its rows
 * stay locked until the transaction ends, so that concurrent calls cannot exceed the limit.
 */
export function consumeAll(calls: LimitedCall[]): RawBuilder<LimitState> {
  const keys = calls.map(({ key }) => key);
  const most = calls.map(({ limit }) => limit.calls);
  const seconds = calls.map(({ limit }) => limit.seconds);
  return sql<LimitState>`
    with call as (
      select * from unnest(${keys}::text[], ${most}::int[], ${seconds}::int[]) as call (key, most, seconds)
    )
    insert into rate_limits (key, calls, expires_at_ms)
    select key, 1, ${nowMs} + seconds * 1000 from call
    on conflict (key) do update set ${countAgain}
    returning key, expires_at_ms - ${nowMs} as wait_ms,
      calls > (select most from call where call.key = rate_limits.key) as is_over`;
}

/**
 * The statement that counts one call for each key in turn, until one exceeds its limit: later keys are not counted.
 * Returns a row for each counted key, in this order. Each count reads those before it, so PostgreSQL locks the rows in
 * this order as well.
 */
export function consumeInOrder(calls: LimitedCall[]): RawBuilder<LimitState> {
  const steps = calls.map((call, index) => ({ ...call, index, name: sql.ref(`counted_${index}`) }));
  const counts = steps.map(({ key, limit, index, name }) => {
    const earlier = steps
      .slice(0, index)
      .map((step) => sql`and not exists (select from ${step.name} where is_over)`);
    return sql`${name} as (
      insert into rate_limits (key, calls, expires_at_ms)
      select ${key}::text, 1, ${nowMs} + ${limit.seconds}::int * 1000 where true ${sql.join(earlier, sql` `)}
      on conflict (key) do update set ${countAgain}
      returning key, expires_at_ms - ${nowMs} as wait_ms, calls > ${limit.calls}::int as is_over
    )`;
  });
  const rows = steps.map(({ index, name }) => sql`select ${sql.lit(index)} as position, * from ${name}`);
  return sql<LimitState>`with ${sql.join(counts)} ${sql.join(rows, sql` union all `)} order by position`;
}

/** One counted call, as {@link consumeAll} returns it. */
export type LimitState = { key: string; isOver: boolean; waitMs: number };

/** The seconds to wait after a call that exceeded its limit; null if the call was within the limit. */
export const secondsToWait = ({ isOver, waitMs }: Omit<LimitState, 'key'>) =>
  isOver ? Math.max(1, Math.ceil(waitMs / 1000)) : null;

/**
 * Counts one call of `key`. Returns null within the limit, otherwise the seconds to wait. A call is counted before it
 * is made, so that concurrent calls cannot exceed the limit; {@link refundOne} subtracts a call from the count.
 */
export async function consume(db: Database | Tx, key: string, limit: RateLimit): Promise<number | null> {
  const { rows } = await consumeAll([{ key, limit }]).execute(db);
  return secondsToWait(rows[0]!);
}

/** Subtracts one from the count of `key`, for a call that should not count after all. */
export async function refundOne(db: Database | Tx, key: string): Promise<void> {
  await db
    .updateTable('rateLimits')
    .set({ calls: sql<number>`greatest(calls - 1, 0)` })
    .where('key', '=', key)
    .execute();
}

/** Resets the count of `key`. */
export async function resetLimit(db: Database, key: string): Promise<void> {
  await db.deleteFrom('rateLimits').where('key', '=', key).execute();
}

/** A short key for personal data, such as an email address, that must not be stored in plain text. */
export function keyOf(kind: string, value: string): string {
  return `${kind}:${createHash('sha256').update(value).digest('base64url')}`;
}

/**
 * The rate limit key for an IP address. Internet providers give each IPv6 subscriber a whole /64 of addresses, so only
 * the first four groups count.
 */
export function keyOfAddress(kind: string, ipAddress: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ipAddress);
  if (mapped || !ipAddress.includes(':')) return keyOf(kind, mapped?.[1] ?? ipAddress);
  const [head = '', tail] = ipAddress.toLowerCase().split('::');
  const groups = head === '' ? [] : head.split(':');
  const rest = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : 8 - groups.length - rest.length;
  const all = [...groups, ...Array.from({ length: Math.max(0, zeros) }, () => '0'), ...rest];
  const network = all.slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ''));
  return keyOf(kind, network.join(':'));
}

/** A duration for a sentence: "a second", "40 seconds", "3 minutes". */
export function describeWait(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? 'a second' : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}
