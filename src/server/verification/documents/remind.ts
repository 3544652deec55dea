import { sql } from 'kysely';
import type { DocumentKind } from '#domain/settings/verification-policy.ts';
import type { PlainDate } from '#domain/time.ts';
import { reminderDays } from '#domain/verification/documents.ts';
import { notify } from '#server/notifications/notify.ts';
import { readRecipient } from '#server/notifications/recipients.ts';
import { composeDocumentEndingMessage } from '#server/notifications/verification-templates/documents.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { londonToday } from '../seat-conditions.ts';

type Due = {
  documentId: string;
  coachId: string;
  ownerUserId: string | null;
  coachName: string;
  kind: DocumentKind;
  endsOn: PlainDate;
  daysBefore: number;
};

const batchSize = 50;

/**
 * Reminds coaches and the owners of their businesses 60, 30 and 7 days before a document ends and on its last day.
 * Sends each reminder once. After an outage, only the latest reminder that is due is sent. A document whose renewal has
 * been accepted needs none.
 */
export async function remindOfEnds(db: Database): Promise<void> {
  while ((await db.transaction().execute((tx) => remindBatch(tx))) === batchSize);
}

async function remindBatch(tx: Tx): Promise<number> {
  const { rows } = await sql<Due>`
    with due as (
      select document.document_id, document.coach_id, document.kind, document.ends_on,
        (select min(days) from unnest(${[...reminderDays]}::integer[]) days
          where days >= document.ends_on - ${londonToday}) as days_before
      from coach_documents document join coaches coach using (coach_id)
      where document.status = 'accepted' and coach.is_active
        and document.ends_on between ${londonToday} and ${londonToday} + ${Math.max(...reminderDays)}::integer
        and not exists (
          select from coach_documents later
          where later.coach_id = document.coach_id and later.kind = document.kind and later.status = 'accepted'
            and later.scheme is not distinct from document.scheme and later.ends_on > document.ends_on
            and (later.counts_for_minors or not document.counts_for_minors)
            and later.issued_on <= document.ends_on + 1)
    ), sent as (
      insert into document_reminders (document_id, days_before, ends_on)
      select document_id, days_before, ends_on from due
      where not exists (
        select from document_reminders sent where sent.document_id = due.document_id
          and sent.ends_on = due.ends_on and sent.days_before <= due.days_before)
      order by ends_on, document_id limit ${batchSize}
      on conflict do nothing
      returning document_id, days_before
    )
    select due.document_id, due.coach_id, due.kind, due.ends_on, due.days_before, profile.full_name as coach_name,
      business.owner_user_id
    from sent join due using (document_id, days_before)
    join profiles profile on profile.user_id = due.coach_id
    join coaches coach on coach.coach_id = due.coach_id
    left join coaching_businesses business using (business_id)`.execute(tx);
  for (const { documentId, coachId, ownerUserId, coachName, ...ending } of rows) {
    const event = {
      kind: 'document_ending' as const,
      subjectId: documentId,
      version: `${ending.endsOn} ${ending.daysBefore}`,
    };
    const coach = await readRecipient(tx, coachId);
    await notify(
      tx,
      coach,
      event,
      composeDocumentEndingMessage({ fullName: coach.fullName, coachName: null, ...ending }),
    );
    if (!ownerUserId || ownerUserId === coachId) continue;
    const owner = await readRecipient(tx, ownerUserId);
    await notify(
      tx,
      owner,
      { ...event, aboutUserId: coachId },
      composeDocumentEndingMessage({ fullName: owner.fullName, coachName, ...ending }),
    );
  }
  return rows.length;
}
