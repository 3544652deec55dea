import { sql } from 'kysely';
import { type DocumentKind, documentKinds } from '#domain/settings/verification-policy.ts';
import type { NeededDocuments } from '#server/notifications/verification-templates/needed-documents.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { readSetting } from '#server/settings/queries.ts';
import { findLatest } from '../applications/application-rows.ts';
import { londonToday } from '../seat-conditions.ts';

type Row = {
  coachId: string;
  coachName: string;
  teachesMinors: boolean;
  hasCheck: boolean;
  kinds: DocumentKind[];
};
type CoachInNeed = Pick<Row, 'coachId' | 'coachName'> & {
  missing: DocumentKind[];
  missingForMinors: DocumentKind[];
  hasOtherCheck: boolean;
};

/** The names of these coaches, and the missing kinds of document that cause their lessons to be hidden today. */
async function readLacks(db: Database | Tx, coachIds: readonly string[]) {
  const policy = await readSetting(db, 'verificationPolicy');
  const hiding = documentKinds.filter(
    (kind) => policy[kind].askedOf !== 'nobody' && policy[kind].effect === 'hidden',
  );
  const { rows } = await sql<Row>`
    select coach.coach_id, profile.full_name as coach_name, teaches_minors(coach.coach_id) as teaches_minors,
      exists (select from coach_documents where coach_id = coach.coach_id and kind = 'criminal_record_check'
        and status = 'accepted' and ${londonToday} between issued_on and ends_on) as has_check,
      array(select kind from unnest(${hiding}::text[]) with ordinality asked (kind, position)
        where kind_end(coach.coach_id, kind) < ${londonToday} order by position) as kinds
    from coaches coach join profiles profile on profile.user_id = coach.coach_id
    where coach.coach_id = any(${coachIds}::uuid[]) order by profile.full_name, coach.coach_id`.execute(db);
  return rows.map(({ kinds, ...coach }) => ({
    ...coach,
    always: kinds.filter((kind) => policy[kind].askedOf === 'all'),
    forMinors: kinds.filter((kind) => policy[kind].askedOf === 'under_18s'),
  }));
}

/** These coaches, sorted by name, with the kinds of document that they lack for their lessons to be listed. */
export async function readMissing(db: Database | Tx, coachIds: readonly string[]): Promise<CoachInNeed[]> {
  const coaches = await readLacks(db, coachIds);
  return coaches.map(({ coachId, coachName, teachesMinors, hasCheck, always, forMinors }) => {
    const missingForMinors = teachesMinors ? forMinors : [];
    const hasOtherCheck = hasCheck && [...always, ...missingForMinors].includes('criminal_record_check');
    return { coachId, coachName, missing: always, missingForMinors, hasOtherCheck };
  });
}

/**
 * What a new coach needs before lessons are listed. Requirements for under-18s are among `always` if the coach has
 * lessons for under-18s or said in the application that they teach them; otherwise they are in `forMinors`.
 */
export async function readNeeded(db: Database | Tx, coachId: string): Promise<NeededDocuments> {
  const [coach] = await readLacks(db, [coachId]);
  if (!coach) return { always: [], forMinors: [] };
  const { always, forMinors, teachesMinors } = coach;
  const application = await findLatest(db, coachId);
  const isForMinors = teachesMinors || application?.coachesJuniors === true;
  return isForMinors ? { always: [...always, ...forMinors], forMinors: [] } : { always, forMinors };
}
