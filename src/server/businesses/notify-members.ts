import type { TeamMember } from '#domain/businesses/contract.ts';
import { notify } from '#server/notifications/notify.ts';
import { readRecipient } from '#server/notifications/recipients.ts';
import { composeTeamMessage, type TeamChange } from '#server/notifications/team-templates/team.ts';
import type { Tx } from '#server/platform/db/db.ts';

/** Notifies members of a team that someone else has changed their membership. */
export async function notifyMembers(
  tx: Tx,
  change: TeamChange,
  businessName: string,
  members: Pick<TeamMember, 'coachId'>[],
): Promise<void> {
  for (const { coachId } of members) {
    const member = await readRecipient(tx, coachId);
    const { fullName } = member;
    const event = { kind: 'team_changed', subjectId: coachId } as const;
    await notify(tx, member, event, composeTeamMessage(change, { fullName, businessName }));
  }
}
