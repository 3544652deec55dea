import type { TeamMember } from '#domain/businesses/contract.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { readBrand } from '#server/settings/queries.ts';
import { enqueueEmail } from '../notifications/email-channel.ts';
import { composeTeamEmail, type TeamChange } from '../notifications/templates/team.ts';

/** Emails members of a team what somebody else has changed for them; the emails are sent if the transaction commits. */
export async function notifyMembers(
  tx: Tx,
  { publicUrl }: { publicUrl: string },
  change: TeamChange,
  businessName: string,
  members: Pick<TeamMember, 'email' | 'fullName'>[],
): Promise<void> {
  const brand = await readBrand(tx);
  const teamUrl = `${publicUrl}/coach/team`;
  for (const { email, fullName } of members) {
    await enqueueEmail(tx, composeTeamEmail(change, { to: email, fullName, businessName, teamUrl, brand }));
  }
}
