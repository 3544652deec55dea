import type { Message } from '#domain/message.ts';

/** Invites a person to join a team; `link` can be used once, until `expires` ("Sat 28 Nov"). */
export function composeInvitationMessage({
  businessName,
  invitedBy,
  link,
  expires,
  brand,
}: {
  businessName: string;
  invitedBy: string;
  link: string;
  expires: string;
  brand: string;
}): Message {
  return {
    subject: `${invitedBy} invites you to join ${businessName} on ${brand}`,
    text: `Hello,

${invitedBy} would like you to coach as part of ${businessName} on ${brand}.

Open this link to accept or decline:

${link}

The link can be used once, until ${expires}, and only for this email address. If you don't know ${invitedBy},
please ignore this email. Nothing happens unless you accept.
`,
  };
}
