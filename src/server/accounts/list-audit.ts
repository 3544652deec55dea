import { type RawBuilder, sql } from 'kysely';
import { type AuditKind, subjectTypesOf } from '#domain/accounts/audit-words.ts';
import type { AuditEntry, accountsApi } from '#domain/accounts/contract.ts';
import type { OutputOf, ParsedInputOf } from '#domain/endpoint.ts';
import type { Database } from '#server/platform/db.ts';
import { fitsSearch, planForValues } from './search-people.ts';

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** A search that fits more people than this is too wide to mean anybody; the newest of them are looked up. */
const mostPeople = 200;

/** A page of the audit log, newest first, narrowed down to a kind of deed and to the people a search fits. */
export async function listAudit(
  db: Database,
  { search, kind, cursor, limit }: ParsedInputOf<typeof accountsApi.listAudit>,
): Promise<OutputOf<typeof accountsApi.listAudit>> {
  const ids = search ? await findSubjects(db, search) : null;
  const rows = await db
    .selectFrom('auditLog as entry')
    .leftJoin('profiles as actor', 'actor.userId', 'entry.actorUserId')
    .leftJoin('profiles as subject', (join) =>
      join
        .on('entry.subjectType', 'in', ['profile', 'coach'])
        .on(sql<boolean>`subject.user_id = case when entry.subject_type in ('profile', 'coach')
          then entry.subject_id::uuid end`),
    )
    .select([
      'entry.auditId',
      'entry.at',
      'entry.actorUserId',
      'entry.actorSystem',
      'entry.action',
      'entry.subjectType',
      'entry.subjectId',
      'entry.before',
      'entry.after',
      'actor.fullName as actorName',
      'actor.email as actorEmail',
      'subject.userId as subjectUserId',
      'subject.fullName as subjectName',
      'subject.email as subjectEmail',
    ])
    .$if(ids !== null || kind !== undefined, (query) =>
      query.where(sql<boolean>`entry.audit_id in (${findEntries({ ids, kind, cursor, limit })})`),
    )
    .$if(cursor !== undefined, (query) => query.where('entry.auditId', '<', cursor!))
    .orderBy('entry.auditId', 'desc')
    .limit(limit + 1)
    .execute();
  const entries = rows.slice(0, limit).map(
    (row): AuditEntry => ({
      auditId: row.auditId,
      at: row.at,
      actor: row.actorUserId
        ? { userId: row.actorUserId, fullName: row.actorName ?? '', email: row.actorEmail ?? '' }
        : null,
      system: row.actorSystem,
      action: row.action,
      subjectType: row.subjectType,
      subjectId: row.subjectId,
      subject: row.subjectUserId
        ? { userId: row.subjectUserId, fullName: row.subjectName ?? '', email: row.subjectEmail ?? '' }
        : null,
      before: row.before,
      after: row.after,
    }),
  );
  return { entries, nextCursor: rows.length > limit ? (entries.at(-1)?.auditId ?? null) : null };
}

/**
 * The ids of a page of entries about these people or records, or of this kind. Every person, and every kind of
 * subject, is an index of its own to walk from the newest entry on, so that no entry is read that cannot be shown:
 * an admin's hundred thousand are not gathered for the sake of the last 25.
 */
function findEntries({
  ids,
  kind,
  cursor,
  limit,
}: {
  ids: string[] | null;
  kind: AuditKind | undefined;
  cursor: number | undefined;
  limit: number;
}) {
  const types = kind && sql`${subjectTypesOf[kind]}::text[]`;
  const newest = (condition: RawBuilder<unknown>) => sql`
    select audit_id from audit_log
    where ${condition} ${cursor === undefined ? sql`` : sql`and audit_id < ${cursor}`}
    order by audit_id desc limit ${limit + 1}`;
  if (ids === null) {
    return sql`select found.audit_id from unnest(${types}) type (name)
      cross join lateral (${newest(sql`subject_type = type.name`)}) found
      order by found.audit_id desc limit ${limit + 1}`;
  }
  const deeds = types
    ? sql`cross join unnest(${types}) type (name)
        cross join lateral (${newest(sql`actor_user_id = person.id and subject_type = type.name`)}) found`
    : sql`cross join lateral (${newest(sql`actor_user_id = person.id`)}) found`;
  const ofKind = types ? sql`and subject_type = any(${types})` : sql``;
  return sql`
    select found.audit_id from unnest(${ids}::uuid[]) person (id) ${deeds}
    union
    select found.audit_id from unnest(${ids}::text[]) subject (id)
    cross join lateral (${newest(sql`subject_id = subject.id ${ofKind}`)}) found
    order by audit_id desc limit ${limit + 1}`;
}

async function findSubjects(db: Database, search: string): Promise<string[]> {
  if (uuid.test(search)) return [search.toLowerCase()];
  const people = await db.transaction().execute(async (tx) => {
    await planForValues(tx);
    return tx
      .selectFrom('profiles')
      .select('userId')
      .where(fitsSearch(search))
      .orderBy('createdAt', 'desc')
      .limit(mostPeople)
      .execute();
  });
  return people.map(({ userId }) => userId);
}
