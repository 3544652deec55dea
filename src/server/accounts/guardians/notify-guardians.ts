import {
  composeGuardianChangeMessage,
  type GuardianChange,
} from '#server/notifications/family-templates/guardians.ts';
import { readRecipient } from '#server/notifications/recipients.ts';
import { writeNotifications } from '#server/notifications/write-notifications.ts';
import type { Tx } from '#server/platform/db/db.ts';

/** Notifies these guardians of a dependant that another person became or stopped being a guardian, or declined to. */
export async function notifyGuardians(
  tx: Tx,
  guardians: readonly { userId: string; fullName: string }[],
  change: { actorId: string; participantId: string; participantName: string; what: GuardianChange },
): Promise<void> {
  const { actorId, participantId, participantName, what } = change;
  const { fullName: personName, email } = await readRecipient(tx, actorId);
  await writeNotifications(
    tx,
    guardians.map(({ userId, fullName }) => ({
      kind: 'guardian_changed',
      userId,
      subjectId: participantId,
      aboutUserId: actorId,
      message: composeGuardianChangeMessage({
        what,
        personName: personName || email,
        participantName,
        fullName,
      }),
    })),
  );
}
