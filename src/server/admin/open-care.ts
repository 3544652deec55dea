import type { Person } from '#domain/access.ts';
import type { adminCareApi } from '#domain/admin/care-contract.ts';
import type { OutputOf, ParsedInputOf } from '#domain/endpoint.ts';
import { AppError } from '#domain/errors.ts';
import { type CareParts, readCare } from '#server/accounts/care/care-details.ts';
import { recordCareReads } from '#server/accounts/care/care-reads.ts';
import { listFamily } from '#server/accounts/guardians/list-family.ts';
import { composeCareOpenedMessage } from '#server/notifications/family-templates/guardians.ts';
import { writeNotifications } from '#server/notifications/write-notifications.ts';
import { recordAudit } from '#server/platform/audit.ts';

/**
 * Shows an admin a participant's care details. Every guardian of a dependant, or the person themselves, is notified
 * with the admin's reason. The opening is recorded even if there are no care details. Throws `not_found` for a deleted
 * or unknown participant.
 */
export function openCare(
  { db, config }: CareParts,
  admin: Person,
  { participantId, reason }: ParsedInputOf<typeof adminCareApi.open>,
): Promise<OutputOf<typeof adminCareApi.open>> {
  return db.transaction().execute(async (tx) => {
    const family = await listFamily(tx, participantId);
    const [first] = family;
    if (!first) throw new AppError('not_found', 'This participant has been deleted, or never existed.');
    const { care } = await readCare(tx, config.dataKeys, participantId);
    await recordCareReads(tx, { userId: admin.userId, role: 'admin', reason }, [participantId]);
    await writeNotifications(
      tx,
      family.map(({ userId, fullName, participantName }) => ({
        kind: 'care_opened',
        userId,
        subjectId: participantId,
        message: composeCareOpenedMessage({ participantName, reason, fullName }),
      })),
    );
    await recordAudit(tx, admin, {
      action: 'care.opened',
      subjectType: 'participant',
      subjectId: participantId,
    });
    return { fullName: first.participantName, care };
  });
}
