import { type RawBuilder, sql } from 'kysely';
import { deletedAccount } from '#domain/account/deletion.ts';
import { type AuditKind, subjectTypesOf } from '#domain/admin/audit-labels.ts';
import type { AuditEntry, adminApi } from '#domain/admin/contract.ts';
import type { OutputOf, ParsedInputOf } from '#domain/endpoint.ts';
import { instantsOf, type Period } from '#domain/period.ts';
import { matchesSearch, planForValues } from '#server/accounts/search-people.ts';
import type { Database } from '#server/platform/db/db.ts';
import { rowsOfPage } from '#server/platform/db/page-cursor.ts';
import { nameAuditSubjects, uuid } from './name-audit-subjects.ts';

/** The maximum number of people whose events a search returns; if more people match, only the newest are used. */
const maxPeople = 200;

type AuditFilter = ParsedInputOf<typeof adminApi.exportAudit>;

/** Returns a page of the audit log, newest first, filtered by period, kind of record and search text. */
export async function listAudit(
  db: Database,
  { cursor, limit, ...filter }: ParsedInputOf<typeof adminApi.listAudit>,
): Promise<OutputOf<typeof adminApi.listAudit>> {
  const readPage = await createAuditReader(db, filter);
  return readPage({ cursor, limit });
}

type Page = { cursor: number | undefined; limit: number };

/** Resolves a filter's people and days once; the returned function reads a page of events, newest first. */
export async function createAuditReader(
  db: Database,
  { search, kind, ...period }: AuditFilter,
): Promise<(page: Page) => Promise<{ entries: AuditEntry[]; nextCursor: number | null }>> {
  const ids = search ? await findSubjects(db, search) : null;
  const days = await findDays(db, period);
  return async ({ cursor, limit }) => {
    const rows = await readRows(db, { ids, kind, limit, within: days(cursor) });
    const page = rows.slice(0, limit);
    const names = await nameAuditSubjects(db, page);
    const entries = page.map((row): AuditEntry => {
      const { auditId, at, action, subjectType, subjectId, before, after } = row;
      return {
        ...{ auditId, at, action, subjectType, subjectId, before, after },
        actor: namePerson(row.actorUserId, row.actorName, row.actorEmail),
        system: row.actorSystem,
        subject: namePerson(row.subjectUserId, row.subjectName, row.subjectEmail),
        subjectName: names.get(subjectId) ?? null,
      };
    });
    return { entries, nextCursor: rows.length > limit ? (entries.at(-1)?.auditId ?? null) : null };
  };
}

const namePerson = (userId: string | null, fullName: string | null, email: string | null) =>
  userId ? { userId, fullName: fullName ?? deletedAccount, email: email ?? '' } : null;

function readRows(db: Database, { ids, kind, limit, within }: EntryFilter) {
  return db
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
      'subject.fullName as subjectName',
      'subject.email as subjectEmail',
      sql<string | null>`case when entry.subject_type in ('profile', 'coach') then entry.subject_id end`.as(
        'subjectUserId',
      ),
    ])
    .$if(ids !== null || kind !== undefined, (query) =>
      query.where(sql<boolean>`entry.audit_id in (${findEntries({ ids, kind, limit, within })})`),
    )
    .where(sql<boolean>`true ${within(sql`entry`)}`)
    .orderBy('entry.auditId', 'desc')
    .limit(rowsOfPage(limit))
    .execute();
}

type EntryFilter = {
  ids: string[] | null;
  kind: AuditKind | undefined;
  limit: number;
  /** SQL for further conditions on the audit log row with this alias: `and …`, or empty. */
  within: (alias: RawBuilder<unknown>) => RawBuilder<unknown>;
};

/**
 * The condition for the audit events in a period and before a cursor. The condition limits event numbers, so that no
 * scan has to start at the newest event. An event gets its number at most a few minutes after its transaction began, so
 * limits with a margin of an hour include the whole period.
 */
async function findDays(db: Database, period: Period): Promise<(cursor?: number) => EntryFilter['within']> {
  const { since, until } = instantsOf(period);
  const { rows } =
    since || until
      ? await sql<{ first: number | null; last: number | null }>`select
          (select audit_id from audit_log where at < ${since}::timestamptz - interval '1 hour'
            order by at desc limit 1) as first,
          (select audit_id from audit_log where at >= ${until}::timestamptz + interval '1 hour'
            order by at limit 1) as last`.execute(db)
      : { rows: [] };
  const { first, last } = rows[0] ?? { first: null, last: null };
  return (cursor) => (alias) => {
    const below = Math.min(cursor ?? Number.POSITIVE_INFINITY, last ?? Number.POSITIVE_INFINITY);
    return sql`
      ${first === null ? sql`` : sql`and ${alias}.audit_id > ${first}`}
      ${Number.isFinite(below) ? sql`and ${alias}.audit_id < ${below}` : sql``}
      ${since ? sql`and ${alias}.at >= ${since}::timestamptz` : sql``}
      ${until ? sql`and ${alias}.at < ${until}::timestamptz` : sql``}`;
  };
}

/**
 * SQL for the ids of a page of audit events by or about these people, about these records, and of this kind. The index
 * range of each person and each kind of subject is scanned from its newest event, so that only a page of each range is
 * read: showing 25 of an admin's 100,000 events is cheap.
 */
function findEntries({ ids, kind, limit, within }: EntryFilter) {
  const types = kind && sql`${subjectTypesOf[kind]}::text[]`;
  const newest = (condition: RawBuilder<unknown>) => sql`
    select audit_id from audit_log log
    where ${condition} ${within(sql`log`)}
    order by audit_id desc limit ${rowsOfPage(limit)}`;
  if (ids === null) {
    return sql`select found.audit_id from unnest(${types}) type (name)
      cross join lateral (${newest(sql`subject_type = type.name`)}) found
      order by found.audit_id desc limit ${rowsOfPage(limit)}`;
  }
  const actions = types
    ? sql`cross join unnest(${types}) type (name)
        cross join lateral (${newest(sql`actor_user_id = person.id and subject_type = type.name`)}) found`
    : sql`cross join lateral (${newest(sql`actor_user_id = person.id`)}) found`;
  const ofKind = types ? sql`and subject_type = any(${types})` : sql``;
  return sql`
    select found.audit_id from unnest(${ids}::uuid[]) person (id) ${actions}
    union
    select found.audit_id from unnest(${ids}::text[]) subject (id)
    cross join lateral (${newest(sql`subject_id = subject.id ${ofKind}`)}) found
    order by audit_id desc limit ${rowsOfPage(limit)}`;
}

async function findSubjects(db: Database, search: string): Promise<string[]> {
  if (uuid.test(search)) return [search.toLowerCase()];
  const people = await db.transaction().execute(async (tx) => {
    await planForValues(tx);
    return tx
      .selectFrom('profiles')
      .select('userId')
      .where(matchesSearch(search))
      .orderBy('createdAt', 'desc')
      .limit(maxPeople)
      .execute();
  });
  return people.map(({ userId }) => userId);
}
