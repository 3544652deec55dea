import { createHash, timingSafeEqual } from 'node:crypto';
import { Hono } from 'hono';
import { z } from 'zod';
import { AppError } from '#domain/errors.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db/db.ts';
import type { Variables } from '#server/platform/http/http.ts';
import { readText } from '#server/platform/http/read-body.ts';
import type { Log } from '#server/platform/log.ts';
import { type BounceReport, isHardBounce, readReport, recordBounce } from './bounces.ts';

/** The largest report accepted, in bytes. A report may quote the whole email. */
const reportLimitBytes = 1024 * 1024;

/** A report from the service that sends the operator's emails; see "Bounces" in docs/operations.md. */
const report = z.object(
  {
    event: z.enum(
      ['bounced', 'complained', 'delayed'],
      "event must be 'bounced', 'complained' or 'delayed'.",
    ),
    returnPath: z.string('returnPath must be a string.').max(320, 'returnPath is too long.'),
    status: z.string('status must be a string.').max(20, 'status is too long.').optional(),
  },
  "This isn't a report about an email.",
);

/**
 * Receives, at `/email-bounces`, reports about emails: as JSON, or as the email (message/rfc822) that a mail server
 * sent to the return path. The caller sends the configured secret as a bearer token. If no secret is configured, the
 * endpoint does not exist.
 */
export function createBounceApp({
  db,
  config,
  log,
}: {
  db: Database;
  config: Pick<Config, 'dataKeys' | 'email'>;
  log: Log;
}): Hono<{ Variables: Variables }> {
  const app = new Hono<{ Variables: Variables }>();
  const { bounceSecret } = config.email;
  if (!bounceSecret) return app;
  app.post('/email-bounces', async (c) => {
    const [, given = ''] = /^Bearer (.+)$/.exec(c.req.header('authorization') ?? '') ?? [];
    if (!isSame(given, bounceSecret)) {
      log.warn({ requestId: c.get('requestId') }, 'bounce report refused');
      throw new AppError('unauthenticated', 'Send the email bounce secret as a bearer token.');
    }
    const text = await readText(c.req.raw, reportLimitBytes);
    const isEmail = /^message\/rfc822\b/i.test(c.req.header('content-type') ?? '');
    const found = isEmail ? readReport(text) : readJson(text);
    // Any other email, such as an out-of-office reply, is accepted too: a mail server would resend a refused email.
    const isKnown = found ? await recordBounce(db, config, found) : false;
    return c.json({ received: true, isKnown });
  });
  return app;
}

function readJson(text: string): BounceReport {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new AppError('bad_request', 'The body is not well-formed JSON.');
  }
  const { data, error } = report.safeParse(value);
  if (!data) {
    const { path, message } = error.issues[0]!;
    const fields = path.length > 0 ? { [path.join('.')]: message } : undefined;
    throw new AppError('unprocessable', message, { fields });
  }
  const { event, returnPath, status } = data;
  const isSoft = event === 'bounced' && status !== undefined && !isHardBounce(status);
  return { returnPath, event: isSoft ? 'delayed' : event };
}

const isSame = (a: string, b: string) => {
  const [left, right] = [a, b].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(left!, right!);
};
