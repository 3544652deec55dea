import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import type { TrustFile } from '#domain/verification/documents-contract.ts';
import { recordAudit } from '#server/platform/audit.ts';
import { type DocumentParts, readTrustFile } from './read-trust-file.ts';
import { lockCoach } from './submit-document.ts';

/** Records that the acting coach agrees to the Update Service. Does nothing if the coach has already agreed. */
export function giveConsent(
  { db, config }: DocumentParts,
  coach: Person,
  textVersion: number,
): Promise<TrustFile> {
  return db.transaction().execute(async (tx) => {
    await lockCoach(tx, coach.userId);
    const { rows } = await sql<{ consentId: string }>`
      insert into update_service_consents (coach_id, text_version) values (${coach.userId}::uuid, ${textVersion})
      on conflict do nothing returning consent_id`.execute(tx);
    if (rows[0]) {
      await recordAudit(tx, coach, {
        ...{ action: 'update_service_consent.given', subjectType: 'coach', subjectId: coach.userId },
        after: { textVersion },
      });
    }
    return readTrustFile(tx, config, coach.userId);
  });
}

/** Withdraws the acting coach's consent. Checks that have already been recorded stay. */
export function withdrawConsent({ db, config }: DocumentParts, coach: Person): Promise<TrustFile> {
  return db.transaction().execute(async (tx) => {
    await lockCoach(tx, coach.userId);
    const { rows } = await sql`
      update update_service_consents set withdrawn_at = now()
      where coach_id = ${coach.userId}::uuid and withdrawn_at is null returning consent_id`.execute(tx);
    if (rows.length > 0) {
      const event = {
        action: 'update_service_consent.withdrawn',
        subjectType: 'coach',
        subjectId: coach.userId,
      };
      await recordAudit(tx, coach, event);
    }
    return readTrustFile(tx, config, coach.userId);
  });
}
