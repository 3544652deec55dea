import type { Message } from '#domain/message.ts';

/** Invites a person to join a team; `path` can be used once, until `expires` ("Sat 28 Nov"). */
export function composeInvitationMessage({
  businessName,
  invitedBy,
  path,
  expires,
  brand,
}: {
  businessName: string;
  invitedBy: string;
  path: string;
  expires: string;
  brand: string;
}): Message {
  return {
    subject: `${invitedBy} invites you to join ${businessName} on ${brand}`,
    summary: `Please accept or decline by ${expires}.`,
    body: [
      'Hello,',
      `${invitedBy} would like you to coach as part of ${businessName} on ${brand}. You can accept or decline.`,
    ],
    action: { label: 'See the invitation', path },
    closing: [
      `The link can be used once, until ${expires}, and only with this email address. If you don't know ${invitedBy}, please ignore this email. Nothing happens unless you accept.`,
    ],
  };
}
