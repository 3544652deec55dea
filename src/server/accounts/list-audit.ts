import { sql } from 'kysely';
import { subjectTypesOf } from '#domain/accounts/audit-words.ts';
import type { AuditEntry, accountsApi } from '#domain/accounts/contract.ts';
import type { OutputOf, ParsedInputOf } from '#domain/endpoint.ts';
import type { Database } from '#server/platform/db.ts';
import { containing } from './list-users.ts';

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
    .$if(ids !== null, (query) =>
      query.where(
        sql<boolean>`(entry.actor_user_id = any(${ids}::uuid[]) or entry.subject_id = any(${ids}::text[]))`,
      ),
    )
    .$if(kind !== undefined, (query) => query.where('entry.subjectType', 'in', [...subjectTypesOf[kind!]]))
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

async function findSubjects(db: Database, search: string): Promise<string[]> {
  if (uuid.test(search)) return [search.toLowerCase()];
  const people = await db.transaction().execute(async (tx) => {
    await sql`set local plan_cache_mode = force_custom_plan`.execute(tx);
    return tx
      .selectFrom('profiles')
      .select('userId')
      .where((is) =>
        is.or([is('fullName', 'ilike', containing(search)), is('email', 'ilike', containing(search))]),
      )
      .orderBy('createdAt', 'desc')
      .limit(mostPeople)
      .execute();
  });
  return people.map(({ userId }) => userId);
}
