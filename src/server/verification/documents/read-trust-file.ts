import { sql } from 'kysely';
import { AppError } from '#domain/errors.ts';
import type { DocumentKind } from '#domain/settings/verification-policy.ts';
import { documentKinds, isAsked } from '#domain/settings/verification-policy.ts';
import type { CheckScheme } from '#domain/verification/documents.ts';
import type { CoachDocument, TrustFile } from '#domain/verification/documents-contract.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import type { DataKeys } from '#server/platform/encryption.ts';
import { readSetting } from '#server/settings/queries.ts';
import { londonToday } from '../seat-conditions.ts';
import { decryptDocumentNumber } from './document-numbers.ts';
import { countUncoveredLessons } from './uncovered-lessons.ts';

export type DocumentParts = { db: Database; config: Pick<Config, 'dataKeys'> };

/** SQL: a day, or null instead of `infinity` and `-infinity`. */
const finite = (day: ReturnType<typeof sql>) =>
  sql<string | null>`case when isfinite(${day}) then ${day} end`;

/** A document as stored, with the columns that its coach and admins see. */
export type DocumentRow = Omit<CoachDocument, 'number'> & { coachId: string; numberEncrypted: string };

/** SQL: the columns of a {@link DocumentRow}, for the table alias `document`. */
export const documentColumns = sql`document.document_id, document.coach_id, document.kind, document.status,
  document.scheme, document.level, document.workforce, document.issuer, document.number_encrypted, document.issued_on,
  document.ends_on, document.valid_until, document.recheck_on, document.method, document.decline_reason,
  document.file_object_id is not null as has_file, document.submitted_at, document.checked_at`;

/** A stored document as the API returns it. */
export function toDocument(
  dataKeys: DataKeys,
  { numberEncrypted, coachId: _, ...row }: DocumentRow,
): CoachDocument {
  const number = decryptDocumentNumber(dataKeys, { documentId: row.documentId, numberEncrypted });
  return { ...row, number };
}

type CoachRow = Omit<TrustFile, 'kinds' | 'uncoveredLessons'> & { schemes: CheckScheme[] };

/** A coach's trust file; throws `not_found` for a person who has never been a coach. */
export async function readTrustFile(
  db: Database | Tx,
  { dataKeys }: Pick<Config, 'dataKeys'>,
  coachId: string,
): Promise<TrustFile> {
  const { rows } = await sql<CoachRow>`
    select coach.coach_id, profile.full_name as coach_name, teaches_minors(coach.coach_id) as teaches_minors,
      coach.is_active and coach.listed_until >= ${londonToday} as is_listed,
      ${finite(sql`coach.listed_until`)} as listed_until,
      exists (select from lesson_slots slot where slot.coach_id = coach.coach_id) as has_lessons,
      coach.minors_until >= ${londonToday} as can_teach_minors,
      array(select distinct scheme_of_nation(nation) from locations
        where coach_id = coach.coach_id and deleted_at is null and nation is not null order by 1) as schemes,
      (select jsonb_build_object('givenAt', given_at) from update_service_consents
        where coach_id = coach.coach_id and withdrawn_at is null) as consent
    from coaches coach join profiles profile on profile.user_id = coach.coach_id
    where coach.coach_id = ${coachId}::uuid`.execute(db);
  if (!rows[0]) throw new AppError('not_found', 'Coach not found.');
  const { schemes, ...coach } = rows[0];
  const policy = await readSetting(db, 'verificationPolicy');
  const documents = await readDocuments(db, dataKeys, coachId);
  const covered = await readCover(db, coachId);
  return {
    ...coach,
    kinds: documentKinds.map((kind) => ({
      kind,
      ...policy[kind],
      isAsked: isAsked(policy[kind], coach.teachesMinors),
      schemes: kind === 'criminal_record_check' ? schemes : [],
      coveredUntil: covered.get(kind) ?? null,
      documents: documents.filter((document) => document.kind === kind),
    })),
    uncoveredLessons: await countUncoveredLessons(db, coachId),
  };
}

async function readDocuments(
  db: Database | Tx,
  dataKeys: DataKeys,
  coachId: string,
): Promise<CoachDocument[]> {
  const { rows } = await sql<DocumentRow>`
    select ${documentColumns} from coach_documents document
    where coach_id = ${coachId}::uuid order by submitted_at desc, document_id`.execute(db);
  return rows.map((row) => toDocument(dataKeys, row));
}

/**
 * The last day that the accepted documents of each kind cover. Kinds that nothing covers today are left out.
 */
export async function readCover(db: Database | Tx, coachId: string): Promise<Map<DocumentKind, string>> {
  const { rows } = await sql<{ kind: DocumentKind; until: string }>`
    select kind, until from unnest(${[...documentKinds]}::text[]) kind,
      lateral (select kind_end(${coachId}::uuid, kind) as until) cover
    where isfinite(until) and until >= ${londonToday}`.execute(db);
  return new Map(rows.map(({ kind, until }) => [kind, until]));
}
