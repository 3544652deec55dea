import { sql } from 'kysely';
import type { OutputOf, ParsedInputOf } from '#domain/endpoint.ts';
import { documentKinds } from '#domain/settings/verification-policy.ts';
import type { CheckedCoach, checksApi } from '#domain/verification/checks-contract.ts';
import { cutPage, readPageCursor, rowsOfPage } from '#server/platform/db/page-cursor.ts';
import { readSetting } from '#server/settings/queries.ts';
import { londonToday } from '../seat-conditions.ts';
import { type DocumentParts, type DocumentRow, documentColumns, toDocument } from './read-trust-file.ts';

const maxCoaches = 50;

/** A page of the documents that wait for an admin, oldest first. */
export async function listWaitingDocuments(
  { db, config }: DocumentParts,
  { cursor, limit }: ParsedInputOf<typeof checksApi.listWaiting>,
): Promise<OutputOf<typeof checksApi.listWaiting>> {
  const end = readPageCursor(cursor);
  const { rows } = await sql<DocumentRow & { coachName: string }>`
    select ${documentColumns}, profile.full_name as coach_name
    from coach_documents document join profiles profile on profile.user_id = document.coach_id
    where document.status = 'submitted'
      and (${end?.time ?? null}::timestamptz is null
        or (document.submitted_at, document.document_id) > (${end?.time ?? null}::timestamptz, ${end?.id ?? null}::uuid))
    order by document.submitted_at, document.document_id limit ${rowsOfPage(limit)}`.execute(db);
  const { page, nextCursor } = cutPage(rows, limit, (row) => ({ time: row.submittedAt, id: row.documentId }));
  const documents = page.map(({ coachName, ...row }) => ({
    ...toDocument(config.dataKeys, row),
    ...{ coachId: row.coachId, coachName },
  }));
  return { documents, nextCursor };
}

const states = {
  all: sql`true`,
  waiting: sql`exists (select from coach_documents document
    where document.coach_id = coach.coach_id and document.status = 'submitted')`,
  hidden: sql`coach.listed_until < ${londonToday}`,
  ending: sql`exists (select from coach_documents document where document.coach_id = coach.coach_id
    and document.status = 'accepted' and document.ends_on between ${londonToday} and ${londonToday} + 60)`,
};

/** The first 50 active coaches that match the state and search, by name, with the kinds of document that they lack. */
export async function listCoachChecks(
  { db }: Pick<DocumentParts, 'db'>,
  { state, search = '' }: ParsedInputOf<typeof checksApi.listCoaches>,
): Promise<OutputOf<typeof checksApi.listCoaches>> {
  const policy = await readSetting(db, 'verificationPolicy');
  const asked = documentKinds.filter((kind) => policy[kind].askedOf !== 'nobody');
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`;
  const { rows } = await sql<CheckedCoach>`
    select coach.coach_id, profile.full_name as coach_name, profile.email, coach.listed_until >= ${londonToday} as is_listed,
      (select count(*)::integer from coach_documents document
        where document.coach_id = coach.coach_id and document.status = 'submitted') as waiting,
      array(select kind from unnest(${asked}::text[], ${asked.map((kind) => policy[kind].askedOf)}::text[])
          with ordinality asked (kind, asked_of, position)
        where (asked_of = 'all' or teaches_minors(coach.coach_id))
          and kind_end(coach.coach_id, kind) < ${londonToday} order by position) as missing,
      (select min(document.ends_on) from coach_documents document
        where document.coach_id = coach.coach_id and document.status = 'accepted') as next_ends_on
    from coaches coach join profiles profile on profile.user_id = coach.coach_id
    where coach.is_active and ${states[state]}
      and (${search} = '' or profile.full_name ilike ${pattern} or profile.email ilike ${pattern})
    order by profile.full_name, coach.coach_id limit ${maxCoaches + 1}`.execute(db);
  return { coaches: rows.slice(0, maxCoaches), isCut: rows.length > maxCoaches };
}
