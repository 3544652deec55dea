import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import nodemailer from 'nodemailer';
import type { CalendarAttachment } from '#domain/message.ts';
import { kindOf } from '#domain/notifications/kinds.ts';
import type { Config } from '#server/platform/config.ts';
import { addressOf } from '#server/platform/email-settings.ts';
import { isHardBounce } from '../bounces.ts';
import { type Channel, type Delivered, RefusedAddress } from '../channel.ts';
import { hashAddress, writeReturnPath, writeUnsubscribeToken } from '../signed-tokens.ts';
import { renderEmailHtml } from './email-layout.tsx';
import { type Letterhead, writeEmailText } from './email-text.ts';

/** The longest wait for a connection and for the greeting, in ms. */
const connectTimeoutMs = 15_000;
/**
 * The longest wait for each later response, in ms. If we stop waiting for the response to the email itself, the server
 * may still deliver the email, and the next attempt sends a second copy. RFC 5321, section 4.5.3.2.6, therefore asks
 * for 10 minutes. Two minutes is enough for most servers that scan an email before they respond. A server that hangs
 * must not block push and other emails for longer, and after 10 minutes `unlockStaleJobs` would start the job again.
 */
const responseTimeoutMs = 120_000;
/** The longest time for a whole email, in ms. */
const emailTimeoutMs = 180_000;

/** An email in the outbox. `sentAt`: an instant. */
export type OutboxEmail = {
  to: string;
  subject: string;
  text: string;
  html: string;
  replyTo?: string;
  headers: Record<string, string>;
  calendar?: CalendarAttachment;
  sentAt: string;
};

type EmailConfig = Pick<Config, 'email' | 'publicUrl' | 'dataKeys'>;

/**
 * Creates the email channel: SMTP or, without an SMTP server, one JSON file per {@link OutboxEmail} in the outbox
 * folder, which only its owner can read. The product's name and contact address are read for each email, so that a
 * queued email has the current ones. Sending throws if the server can't be reached within `timeoutMs`, takes more than
 * two minutes for a response, or takes more than three minutes for the whole email. Sending throws {@link
 * RefusedAddress} if the server refuses the address permanently.
 */
export function createEmailChannel(
  config: EmailConfig,
  readSender: () => Promise<Pick<Letterhead, 'brand' | 'contactEmail'>>,
  { timeoutMs = connectTimeoutMs } = {},
): Channel {
  const { smtpUrl, outbox, from, bounceAddress } = config.email;
  const transport = smtpUrl
    ? nodemailer.createTransport({
        url: smtpUrl,
        connectionTimeout: timeoutMs,
        greetingTimeout: timeoutMs,
        socketTimeout: responseTimeoutMs,
        dnsTimeout: timeoutMs,
      })
    : undefined;
  return async (to, message, delivered) => {
    const { calendar } = message;
    const { brand, contactEmail } = await readSender();
    const unsubscribeUrl = unsubscribeUrlOf(config, delivered);
    const letterhead = { brand, contactEmail, publicUrl: config.publicUrl, unsubscribeUrl };
    const email = {
      to,
      // A line break in a subject would start another header.
      subject: message.subject.replace(/[\p{Cc}\u2028\u2029]+/gu, ' '),
      text: writeEmailText(message, letterhead),
      html: renderEmailHtml(message, letterhead),
      ...(contactEmail && { replyTo: contactEmail }),
      headers: { ...automatic, ...unsubscribeHeaders(unsubscribeUrl) },
    };
    if (!transport) {
      if (outbox) writeToOutbox(outbox, { ...email, ...(calendar && { calendar }) });
      return;
    }
    const returnPath =
      bounceAddress && writeReturnPath(config, bounceAddress, delivered ?? { addressHash: hashAddress(to) });
    const signal = AbortSignal.timeout(emailTimeoutMs);
    try {
      const envelope = returnPath ? { envelope: { from: returnPath, to } } : {};
      const messageId = delivered && messageIdOf(from, delivered);
      const invitation = calendar ? { icalEvent: toIcalEvent(calendar) } : {};
      await transport.sendMail({ from, ...email, ...invitation, ...envelope, messageId, signal });
    } catch (error) {
      throw isRefusal(error) ? new RefusedAddress((error as Error).message, { cause: error }) : error;
    }
  };
}

/**
 * The Message-ID (RFC 5322, section 3.6.4). It is the same for every attempt, so that a mailbox can recognise a second
 * copy.
 */
const messageIdOf = (from: string, { notificationId }: Delivered) =>
  `<${notificationId}@${/@(.+)$/.exec(addressOf(from))?.[1] ?? 'localhost'}>`;

/** RFC 3834: marks an automatic email, so that no auto-responder replies. */
const automatic = { 'Auto-Submitted': 'auto-generated' };

/** RFC 8058: email programs show a button that posts to the URL. */
const unsubscribeHeaders = (url: string | null): Record<string, string> =>
  url ? { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } : {};

const unsubscribeUrlOf = (config: EmailConfig, delivered: Delivered | undefined) =>
  delivered && kindOf(delivered.kind).hasUnsubscribe
    ? `${config.publicUrl}/unsubscribe?token=${writeUnsubscribeToken(config, delivered.userId, delivered.kind)}`
    : null;

/**
 * The part of an email that calendar programs read. Its MIME method must match the METHOD in the file (RFC 6047). The
 * library adds the file twice, as Google does: as an alternative to the text, for email programs, and as an attachment,
 * for people.
 */
const toIcalEvent = ({ method, content }: CalendarAttachment) => ({
  method,
  filename: 'invite.ics',
  content,
});

/**
 * Whether the mail server refused this recipient permanently: a hard bounce before the email was accepted. A 550
 * without an RFC 3463 status does not count: "550 relay not permitted" would otherwise suppress every address while our
 * own access to the server is broken.
 */
function isRefusal(error: unknown): boolean {
  const { responseCode, response, command } = error as {
    responseCode?: number;
    response?: string;
    command?: string;
  };
  if (command !== 'RCPT TO' || !responseCode || responseCode < 500) return false;
  // The status comes directly after the code. An IP address later in the text may look like a status.
  const [, status] = /^5\d\d[ -](5\.\d{1,3}\.\d{1,3})\s/.exec(response ?? '') ?? [];
  return status !== undefined && isHardBounce(status);
}

/**
 * Writes an email to the outbox. Synchronous, because writing a few kilobytes takes less time than a round trip through
 * the thread pool.
 */
function writeToOutbox(folder: string, unsent: Omit<OutboxEmail, 'sentAt'>): void {
  // Emails contain links that sign people in, so only the owner may read the folder.
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  const sentAt = new Date().toISOString();
  const file = join(folder, `${sentAt.replaceAll(':', '')}-${randomUUID().slice(0, 8)}.json`);
  const email: OutboxEmail = { ...unsent, sentAt };
  writeFileSync(`${file}.new`, JSON.stringify(email, null, 2), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
