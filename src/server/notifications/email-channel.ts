import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import nodemailer from 'nodemailer';
import type { Message } from '#domain/message.ts';
import type { Config } from '#server/platform/config.ts';
import type { Channel } from './channel.ts';
import { type Letterhead, renderEmailHtml } from './email-layout.ts';

/** RFC 3834: marks an automatic email, so that no auto-responder replies. */
const headers = { 'Auto-Submitted': 'auto-generated' };

/** SMTP timeout in ms, while connecting, before the greeting and between responses. */
const smtpTimeoutMs = 15_000;

/**
 * Creates the email channel: SMTP or, without an SMTP server, one JSON file per email in the outbox folder ({ to,
 * subject, text, html, replyTo, headers, sentAt }), which only its owner can read. The HTML part and the reply-to
 * address follow the letterhead, which is read for each email. Sending throws if the server does not respond for
 * `timeoutMs` or takes twice as long for the whole email.
 */
export function createEmailChannel(
  config: Config['email'],
  readLetterhead: () => Promise<Letterhead>,
  { timeoutMs = smtpTimeoutMs } = {},
): Channel {
  const transport = config.smtpUrl
    ? nodemailer.createTransport({
        url: config.smtpUrl,
        connectionTimeout: timeoutMs,
        greetingTimeout: timeoutMs,
        socketTimeout: timeoutMs,
        dnsTimeout: timeoutMs,
      })
    : undefined;
  return async (to, { subject, text }) => {
    // A line break in a subject would start another header.
    const message: Message = { subject: subject.replace(/[\p{Cc}\u2028\u2029]+/gu, ' '), text };
    const letterhead = await readLetterhead();
    const { contactEmail } = letterhead;
    const html = renderEmailHtml(message, letterhead);
    const email = { to, ...message, html, ...(contactEmail && { replyTo: contactEmail }), headers };
    const signal = AbortSignal.timeout(2 * timeoutMs);
    if (transport) await transport.sendMail({ from: config.from, ...email, signal });
    else if (config.outbox) writeToOutbox(config.outbox, email);
  };
}

/**
 * Writes an email to the outbox. Synchronous, because writing a kilobyte is faster than five calls to the thread pool.
 */
function writeToOutbox(folder: string, email: object): void {
  // Emails contain links that sign people in, so only the owner may read the folder.
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  const sentAt = new Date().toISOString();
  const file = join(folder, `${sentAt.replaceAll(':', '')}-${randomUUID().slice(0, 8)}.json`);
  writeFileSync(`${file}.new`, JSON.stringify({ ...email, sentAt }, null, 2), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
