import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import type { OutputOf, ParsedInputOf } from '#domain/endpoint.ts';
import { AppError } from '#domain/errors.ts';
import type { reviewsApi } from '#domain/reviews/contract.ts';
import { type RemovalReason, reviewTimes } from '#domain/reviews/rules.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { logModeration } from './log.ts';
import { openCase } from './open-case.ts';

type Decisions = OutputOf<typeof reviewsApi.getDecision>;
type Row = {
  about: 'review' | 'reply';
  text: string;
  coachName: string;
  isAuthor: boolean;
  isReporter: boolean;
  outcome: 'shown' | 'removed' | null;
  reason: RemovalReason | null;
  isRecent: boolean;
  hasAppealed: boolean;
  isAppealDecided: boolean;
};

/**
 * What admins decided on a review and its reply. A person sees the decisions on the texts that they wrote or reported.
 * Throws `not_found` if they wrote and reported neither.
 */
export async function getDecision(db: Database | Tx, userId: string, reviewId: string): Promise<Decisions> {
  const { rows } = await sql<Row>`
    with text as (
      select 'review' as about, review.body as text, review.coach_id, review.customer_user_id as author_id
      from reviews review where review_id = ${reviewId}::uuid
      union all
      select 'reply', reply.body, reply.coach_id, reply.coach_id
      from review_replies reply where review_id = ${reviewId}::uuid
    )
    select text.about, text.text, coach_public_name(coach) as coach_name, text.author_id = ${userId}::uuid as is_author,
      own.case_id is not null as is_reporter, latest.outcome, latest.decided_reason as reason,
      coalesce(latest.decided_at > now() - interval '1 day' * ${sql.lit(reviewTimes.appealDays)}, false) as is_recent,
      appeal.case_id is not null as has_appealed, appeal.outcome is not null as is_appeal_decided
    from text
    join profiles coach on coach.user_id = text.coach_id
    left join lateral (select case_id from review_cases mine
      where mine.review_id = ${reviewId}::uuid and mine.about = text.about and mine.kind = 'report'
        and mine.opened_by = ${userId}::uuid) own on true
    left join lateral (select outcome, decided_reason, decided_at from review_cases decided
      where decided.review_id = ${reviewId}::uuid and decided.about = text.about and decided.kind <> 'attendance'
        and decided.outcome in ('shown', 'removed')
      order by decided.decided_at desc limit 1) latest on true
    left join review_cases appeal on appeal.review_id = ${reviewId}::uuid and appeal.about = text.about
      and appeal.kind = 'appeal' and appeal.opened_by = ${userId}::uuid
    where text.author_id = ${userId}::uuid or own.case_id is not null
    order by text.about desc`.execute(db);
  if (!rows[0]) throw new AppError('not_found', "This review doesn't exist, or you don't have access to it.");
  return {
    coachName: rows[0].coachName,
    decisions: rows.map((row) => ({
      about: row.about,
      text: row.text,
      role: row.isAuthor ? ('author' as const) : ('reporter' as const),
      outcome: row.outcome ?? ('open' as const),
      reason: row.outcome === 'removed' ? row.reason : null,
      appeal: stateOfAppeal(row),
    })),
  };
}

/**
 * The state of this person's appeal; null if they can't appeal. Only the person who lost a decision may appeal: the
 * author of a removed text, or the reporter of one that stays.
 */
function stateOfAppeal(row: Row): Decisions['decisions'][number]['appeal'] {
  if (row.hasAppealed) return row.isAppealDecided ? 'decided' : 'open';
  const isLoser = row.isAuthor ? row.outcome === 'removed' : row.outcome === 'shown';
  return isLoser && row.isRecent ? 'possible' : null;
}

/**
 * Asks the admins to reconsider a decision. Throws `not_found` for anyone who can't see the decision, and `conflict`
 * for a second appeal or if there is no recent decision that the person lost.
 */
export function appealReview(
  db: Database,
  person: Person,
  { reviewId, about, statement }: ParsedInputOf<typeof reviewsApi.appeal>,
): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const { decisions } = await getDecision(tx, person.userId, reviewId);
    const decision = decisions.find((one) => one.about === about);
    if (!decision)
      throw new AppError('not_found', "This review doesn't exist, or you don't have access to it.");
    if (decision.appeal === 'open' || decision.appeal === 'decided') {
      throw new AppError('conflict', "You've already appealed. You can appeal only once.");
    }
    if (decision.appeal !== 'possible') {
      throw new AppError('conflict', 'There is no decision that you can appeal against.');
    }
    const appeal = { kind: 'appeal', about, reviewId, openedBy: person.userId, statement } as const;
    if (!(await openCase(tx, appeal))) {
      throw new AppError('conflict', "You've already appealed. You can appeal only once.");
    }
    await logModeration(tx, [{ reviewId, about, action: 'appealed' }]);
  });
}
