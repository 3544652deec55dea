import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import nodemailer from 'nodemailer';
import type { JobPayloads } from '#domain/jobs.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { enqueue } from '#server/platform/jobs/enqueue.ts';
import type { JobHandlers } from '#server/platform/jobs/start-worker.ts';

/** One plain-text email to one person; links are on lines of their own. */
export type Email = JobPayloads['notifications.send'];

/** Added to an email when it is sent: the HTML part and the reply-to address. */
export type CompleteEmail = (email: Email) => Promise<{ html: string; replyTo?: string }>;

/** RFC 3834: marks an automatic email, so that no auto-responder replies. */
const headers = { 'Auto-Submitted': 'auto-generated' };

/** Queues an email. It is sent only if the transaction commits, and retried while the server refuses it. */
export function enqueueEmail(tx: Database | Tx, email: Email): Promise<void> {
  return enqueue(tx, 'notifications.send', email);
}

/** Sends one email immediately. For jobs only, which retry when it throws. */
export type SendEmail = (email: Email) => Promise<void>;

/** SMTP timeout in ms, while connecting, before the greeting and between responses. */
const smtpTimeoutMs = 15_000;

/**
 * Creates the email sender: SMTP, or, if an outbox folder is configured, one JSON file per email ({ to, subject,
 * text, html, replyTo, headers, sentAt }) that only its owner can read. A server that is silent for `timeoutMs`, or
 * takes twice as long for the whole email, counts as a refusal.
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
    // A line break in a subject would start another header.
    const oneLine = { ...given, subject: given.subject.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ') };
    const email = { ...oneLine, ...(await complete?.(oneLine)), headers };
    const signal = AbortSignal.timeout(2 * timeoutMs);
    if (transport) await transport.sendMail({ from: config.from, ...email, signal });
    else if (config.outbox) writeToOutbox(config.outbox, email);
  };
}

/** The job that sends queued emails. */
export const emailJobs = (sendMail: SendEmail) =>
  ({ 'notifications.send': sendMail }) satisfies Partial<JobHandlers>;

/** Synchronous: writing a kilobyte is faster than five calls to a thread. */
function writeToOutbox(folder: string, email: Email): void {
  // Emails contain links that sign people in.
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  const sentAt = new Date().toISOString();
  const file = join(folder, `${sentAt.replaceAll(':', '')}-${randomUUID().slice(0, 8)}.json`);
  writeFileSync(`${file}.new`, JSON.stringify({ ...email, sentAt }, null, 2), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
