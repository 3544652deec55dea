import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import { AppError } from '#domain/errors.ts';
import type { Tx } from './db/db.ts';
import { consumeAll, describeWait, type LimitState, secondsToWait } from './http/rate-limit.ts';

/** The author of a change: a user, or the name of a system, such as a job or Stripe. */
type AuditActor = Pick<Person, 'userId'> | { system: string };

/** Stops one account from flooding the log. Even on a busy day, people stay far below this limit. */
const auditLimit = { calls: 300, seconds: 10 * 60 };

/** The two actor columns of a log table. One has the user's id or the system's name, and the other is null. */
export function actorColumns(actor: AuditActor): { actorUserId: string | null; actorSystem: string | null } {
  return 'system' in actor
    ? { actorUserId: null, actorSystem: actor.system }
    : { actorUserId: actor.userId, actorSystem: null };
}

/**
 * Describes a change for the audit log: the names of changed fields, as in `{ changed: ['bio'] }`. The log outlives
 * the data and the account, so text that people wrote and other personal values are left out; `values` names the
 * fields, such as a price or a status, whose old and new values are stored. Returns null if nothing changed. `before`
 * is null for a new record; `after` may have only some of the record's fields.
 */
export function describeChange<T extends object>(
  before: Partial<T> | null,
  after: Partial<T>,
  values: readonly (keyof T)[] = [],
): { before?: Partial<T>; after: Partial<T> & { changed: string[] } } | null {
  const fields = Object.keys(after) as (keyof T & string)[];
  const changed = fields.filter((field) => !isDeepStrictEqual(before?.[field] ?? null, after[field] ?? null));
  if (changed.length === 0) return null;
  const pick = (from: Partial<T>) =>
    Object.fromEntries(
      changed.filter((field) => values.includes(field)).map((field) => [field, from[field]]),
    ) as Partial<T>;
  return { ...(before && { before: pick(before) }), after: { ...pick(after), changed } };
}

/**
 * Writes an audit event in the transaction that makes the change. The log is kept for 6 years, even after an account is
 * deleted, so `before` and `after` must not contain personal data; they name the changed fields instead ({@link
 * describeChange}). Throws `too_many_requests` for a person who has made too many changes recently.
 */
export async function recordAudit(
  tx: Tx,
  actor: AuditActor,
  event: { action: string; subjectType: string; subjectId: string; before?: unknown; after?: unknown },
): Promise<void> {
  const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value));
  const { actorUserId, actorSystem } = actorColumns(actor);
  const counted = actorUserId
    ? consumeAll([{ key: `audit:${actorUserId}`, limit: auditLimit }])
    : sql`select false as is_over, 0 as wait_ms`;
  const { rows } = await sql<Omit<LimitState, 'key'>>`
    with counted as (${counted}
    ), entry as (
      insert into audit_log (actor_user_id, actor_system, action, subject_type, subject_id, before, after)
      select ${actorUserId}::uuid, ${actorSystem}::text, ${event.action}::text, ${event.subjectType}::text,
        ${event.subjectId}::text, ${json(event.before)}::jsonb, ${json(event.after)}::jsonb
      from counted where not is_over
    )
    select is_over, wait_ms from counted`.execute(tx);
  const retryAfterSeconds = secondsToWait(rows[0]!);
  if (retryAfterSeconds === null) return;
  const wait = describeWait(retryAfterSeconds);
  throw new AppError('too_many_requests', `You've made a lot of changes. Please try again in ${wait}.`, {
    details: { retryAfterSeconds },
  });
}
