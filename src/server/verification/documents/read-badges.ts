import { sql } from 'kysely';
import { AppError } from '#domain/errors.ts';
import { documentKinds } from '#domain/settings/verification-policy.ts';
import { type Badge, type BadgeFacts, describeBadge } from '#domain/verification/badges.ts';
import type { Database } from '#server/platform/db/db.ts';
import { readBrand } from '#server/settings/queries.ts';
import { londonToday } from '../seat-conditions.ts';

/** The badges of a coach. Throws `not_found` for unknown and hidden coaches. */
export async function listBadges(db: Database, coachId: string): Promise<Badge[]> {
  const badges = await findBadges(db, coachId);
  if (!badges) throw new AppError('not_found', 'Coach not found.');
  return badges;
}

/**
 * The badges of a coach: one per kind and scheme of the accepted documents that count today. Null for unknown
 * and hidden coaches, under the same condition as the coach's page, so that the two always agree.
 */
export async function findBadges(db: Database, coachId: string): Promise<Badge[] | null> {
  const { rows } = await sql<{ documents: BadgeFacts[] }>`
    select (select coalesce(jsonb_agg(shown), '[]') from (
        select distinct on (kind, scheme) kind, scheme, level, method,
          (checked_at at time zone 'Europe/London')::date as "checkedOn", ends_on as "endsOn"
        from coach_documents
        where coach_id = coach.coach_id and status = 'accepted' and ${londonToday} between issued_on and ends_on
        order by kind, scheme, counts_for_minors desc, ends_on desc, document_id) shown) as documents
    from coaches coach where coach.coach_id = ${coachId}::uuid and coach.is_active and coach.is_listed`.execute(
    db,
  );
  if (!rows[0]) return null;
  const { documents } = rows[0];
  if (documents.length === 0) return [];
  const club = await readBrand(db);
  return documentKinds.flatMap((kind) =>
    documents.filter((document) => document.kind === kind).map((document) => describeBadge(document, club)),
  );
}
