import type { TeamMember } from '#domain/businesses/contract.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { readBrand } from '#server/settings/queries.ts';
import { composeTeamMail, type TeamNews } from '../notifications/team-mails.ts';
import { enqueueMail } from '../platform/mail.ts';

/** Mails members of a team what somebody else has changed for them; the mails leave if the transaction commits. */
export async function tellMembers(
  tx: Tx,
  { publicUrl }: { publicUrl: string },
  news: TeamNews,
  businessName: string,
  members: Pick<TeamMember, 'email' | 'fullName'>[],
): Promise<void> {
  const brand = await readBrand(tx);
  const teamUrl = `${publicUrl}/coach/team`;
  for (const { email, fullName } of members) {
    await enqueueMail(tx, composeTeamMail(news, { to: email, fullName, businessName, teamUrl, brand }));
  }
}
