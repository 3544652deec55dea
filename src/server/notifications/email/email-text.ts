import type { Message, MessagePart } from '#domain/message.ts';

/** The parts of an email around the message. */
export type Letterhead = {
  brand: string;
  /** The reply-to address, if there is one. */
  contactEmail: string | null;
  /** The site's URL without a trailing slash. It precedes every path. */
  publicUrl: string;
  /** The page that stops emails of this kind; null if there is no such page. */
  unsubscribeUrl: string | null;
};

/** The text part of an email. It says the same as the HTML part (email-layout.tsx), in the same order. */
export function writeEmailText({ body, action, closing = [] }: Message, letterhead: Letterhead): string {
  const { brand, contactEmail, publicUrl, unsubscribeUrl } = letterhead;
  const paragraphs = [
    ...body.map(writePart),
    ...(action ? [`${action.label}:`, publicUrl + action.path] : []),
    ...closing,
    `${brand}\n${contactEmail ? `${replyHint} ${contactEmail}.` : noReplyHint}`,
    ...(unsubscribeUrl ? [`${unsubscribeHint}: ${unsubscribeUrl}`] : []),
  ];
  return `${paragraphs.join('\n\n')}\n`;
}

function writePart(part: MessagePart): string {
  if (typeof part === 'string') return part;
  if ('quote' in part) return inQuotes(part.quote);
  if ('lesson' in part) return [part.lesson, ...part.lines].join('\n');
  return part.facts
    .map(([label, value]) => `${label}:${value.includes('\n') ? '\n' : ' '}${value}`)
    .join('\n');
}

export const inQuotes = (words: string): string => `“${words}”`;

export const replyHint = 'Questions? Reply to this email, or write to';
export const noReplyHint = 'This email was sent automatically.';
export const unsubscribeHint = 'Stop these emails';
