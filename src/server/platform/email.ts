import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import nodemailer from 'nodemailer';
import type { Config } from './config.ts';
import type { Database, Tx } from './db/db.ts';
import { enqueue, type JobHandlers } from './jobs/jobs.ts';

/** One mail to one person, in plain text; links stand on lines of their own. */
export type Email = { to: string; subject: string; text: string };

/** What is added to an email when it leaves: the HTML part, and where answers go. */
export type CompleteEmail = (email: Email) => Promise<{ html: string; replyTo?: string }>;

/** RFC 3834: no answering machine replies to an email that says this of itself. */
const headers = { 'Auto-Submitted': 'auto-generated' };

/** Queues a mail; it leaves only if the transaction commits, and is tried again while the server refuses it. */
export function enqueueEmail(tx: Database | Tx, email: Email): Promise<void> {
  return enqueue(tx, 'email.send', email);
}

/** Sends one mail now. For jobs alone, which are tried again when it throws. */
export type SendEmail = (email: Email) => Promise<void>;

/** How long an SMTP server may stay silent while it is connected to, before its greeting and between answers, in ms. */
const smtpTimeoutMs = 15_000;

/**
 * Makes what sends mails: through SMTP, or, where an outbox folder is configured instead, into a JSON file per
 * mail ({ to, subject, text, html, replyTo, headers, sentAt }), which only its owner can read. A server that says nothing for `timeoutMs`, or takes twice as long for the whole email, counts as one that refused.
 */
export function createMailer(
  config: Config['email'],
  { timeoutMs = smtpTimeoutMs, complete }: { timeoutMs?: number; complete?: CompleteEmail } = {},
): SendEmail {
  const transport = config.smtpUrl
    ? nodemailer.createTransport({
        url: config.smtpUrl,
        connectionTimeout: timeoutMs,
        greetingTimeout: timeoutMs,
        socketTimeout: timeoutMs,
        dnsTimeout: timeoutMs,
      })
    : undefined;
  return async (given) => {
    // A line's end in a subject would begin another header.
    const oneLine = { ...given, subject: given.subject.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ') };
    const email = { ...oneLine, ...(await complete?.(oneLine)), headers };
    const signal = AbortSignal.timeout(2 * timeoutMs);
    if (transport) await transport.sendMail({ from: config.from, ...email, signal });
    else if (config.outbox) writeToOutbox(config.outbox, email);
  };
}

/** The job that sends queued mails. */
export const emailJobs = (sendMail: SendEmail): JobHandlers => ({ 'email.send': sendMail });

/** At once: a kilobyte is on the disk sooner than a thread could be asked five times to put it there. */
function writeToOutbox(folder: string, email: Email): void {
  // Emails hold links that open accounts.
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  const sentAt = new Date().toISOString();
  const file = join(folder, `${sentAt.replaceAll(':', '')}-${randomUUID().slice(0, 8)}.json`);
  writeFileSync(`${file}.new`, JSON.stringify({ ...email, sentAt }, null, 2), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
