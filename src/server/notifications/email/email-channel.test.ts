import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { expect, test } from 'vitest';
import { kindNames, kindOf, type NotificationKind } from '#domain/notifications/kinds.ts';
import { generateSecrets } from '#server/embedded/demo-secrets.ts';
import { readConfig } from '#server/platform/config.ts';
import { openDatabase, openPool } from '#server/platform/db/db.ts';
import { migrateJobs, startWorker } from '#server/platform/jobs/start-worker.ts';
import { eventually } from '#server/test-support/test-app.test-support.ts';
import { createTestDatabase } from '#server/test-support/test-database.test-support.ts';
import { startSmtpServer } from '#tools/smtp-server.ts';
import { createChannels } from '../channels.ts';
import { notificationJobs } from '../jobs.ts';
import { sendEmail } from '../notify.ts';
import { createEmailChannel, type OutboxEmail } from './email-channel.ts';

const letterhead = async () => ({ brand: 'Leeds Lessons', contactEmail: 'hello@club.example' });

const configOf = (env: Record<string, string>) =>
  readConfig({
    ...generateSecrets(),
    DATABASE_URL: 'postgres://club.test/none',
    PUBLIC_URL: 'http://club.test',
    MAIL_FROM: 'club@test.example',
    ...env,
  });

test("keeps a refused email's addresses and links out of the log and the job's error", async () => {
  const smtpServer = await startSmtpServer({});
  smtpServer.setRefusal('450 4.1.1 <[to]>: Recipient address rejected');
  const database = await createTestDatabase();
  await migrateJobs(database.url);
  const pool = openPool(database.url, { size: 3 });
  const db = openDatabase(pool);
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const config = readConfig({
    ...generateSecrets(),
    DATABASE_URL: database.url,
    PUBLIC_URL: 'http://club.test',
    SMTP_URL: smtpServer.url,
  });
  const worker = await startWorker(
    pool,
    notificationJobs({
      db,
      channels: createChannels({ db, config }),
      composers: {},
      findLesson: async () => null,
      onUnreached: async () => {},
    }),
    log,
  );
  try {
    const action = { label: 'Choose a new password', path: '/#token=hunter2' };
    await sendEmail(db, 'ana@test.example', { subject: 'Reset', body: [], action });
    const line = await eventually(() => Promise.resolve(lines.find((one) => one.includes('450 4.1.1'))));
    expect(JSON.parse(line)).toMatchObject({ jobId: expect.anything(), task: 'notifications.send' });
    expect(lines.join()).not.toMatch(/hunter2|@test\.example/);
    const lastError = await eventually(async () => {
      const { rows } = await pool.query('select last_error from graphile_worker.jobs');
      return rows[0]?.last_error as string | null;
    });
    expect(lastError).toContain('450 4.1.1 <[address]>: Recipient address rejected');
    expect(lastError).not.toContain('@test.example');
  } finally {
    await worker.stop();
    await db.destroy();
    await database.drop();
    await smtpServer.close();
  }
});

test('gives up on a mail server that accepts a connection but never responds', async () => {
  const smtpServer = await startSmtpServer({ isSilent: true });
  const mailer = configOf({ SMTP_URL: smtpServer.url });
  const send = createEmailChannel(mailer, letterhead, { timeoutMs: 100 });
  try {
    // Several equal timeouts run in parallel; which one expires first depends on the machine.
    await expect(send('ana@test.example', { subject: 'Held', body: ['Held'] })).rejects.toThrow(
      /Greeting never received|timeout|abort/i,
    );
  } finally {
    await smtpServer.close();
  }
});

test('sends HTML and text, marked as automatic, with a reply-to address', async () => {
  const smtpServer = await startSmtpServer({});
  const mailer = configOf({ SMTP_URL: smtpServer.url });
  try {
    await createEmailChannel(mailer, letterhead)('ana@test.example', { subject: 'Booked', body: ['Booked'] });
    const [message = ''] = smtpServer.messages;
    expect(message).toMatch(/^Auto-Submitted: auto-generated$/m);
    expect(message).toMatch(/^Reply-To: hello@club\.example$/m);
    expect(message).toMatch(/^Content-Type: multipart\/alternative;/m);
    expect(message).toMatch(/^Content-Type: text\/plain;/m);
    expect(message).toMatch(/^Content-Type: text\/html;/m);
  } finally {
    await smtpServer.close();
  }
});

test("sets a calendar invitation's MIME method to its METHOD [NOTE-9c]", async () => {
  const smtpServer = await startSmtpServer({});
  const mailer = configOf({ SMTP_URL: smtpServer.url });
  try {
    const send = createEmailChannel(mailer, letterhead);
    for (const method of ['REQUEST', 'CANCEL'] as const) {
      const content = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nMETHOD:${method}\r\nEND:VCALENDAR\r\n`;
      await send('ana@test.example', { subject: 'Booked', body: ['Booked'], calendar: { method, content } });
      const email = smtpServer.messages.at(-1)!.replaceAll('\r\n', '\n');
      expect(email).toContain(`\nContent-Type: text/calendar; charset=utf-8; method=${method}\n`);
      expect(email).toContain(`\nMETHOD:${method}\n`);
      expect(email).toMatch(/^Content-Type: application\/ics; name=invite\.ics$/m);
      expect(email).toMatch(/^Content-Disposition: attachment; filename=invite\.ics$/m);
      // The attached file is the same. Its line breaks are unchanged, because it is encoded in base64.
      expect(email).toContain(Buffer.from(content).toString('base64').slice(0, 76));
      expect(email).toMatch(/^Content-Type: text\/plain;/m);
      expect(email).toMatch(/^Content-Type: text\/html;/m);
    }
  } finally {
    await smtpServer.close();
  }
});

test('links to the unsubscribe page for kinds with `hasUnsubscribe` and no others [NOTE-13]', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'outbox-'));
  const send = createEmailChannel(configOf({ MAIL_OUTBOX: folder }), letterhead);
  try {
    for (const kind of kindNames) {
      const delivered = { kind, notificationId: crypto.randomUUID(), userId: crypto.randomUUID() };
      await send('ana@test.example', { subject: kind, body: ['News'] }, delivered);
    }
    const files = await readdir(folder);
    expect(files).toHaveLength(kindNames.length);
    for (const file of files) {
      const { subject, text, html, headers } = JSON.parse(
        await readFile(join(folder, file), 'utf8'),
      ) as OutboxEmail;
      const url = /^<(http.*)>$/.exec(headers['List-Unsubscribe'] ?? '')?.[1];
      expect(Boolean(url), subject).toBe(Boolean(kindOf(subject as NotificationKind).hasUnsubscribe));
      expect(headers['List-Unsubscribe-Post'], subject).toBe(url && 'List-Unsubscribe=One-Click');
      expect(/Stop these emails: (\S+)/.exec(text)?.[1], subject).toBe(url);
      expect(/href="([^"]*)"[^>]*>Stop these emails</.exec(html)?.[1], subject).toBe(url);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('writes emails to an outbox that only its owner can read', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'outbox-'));
  const outbox = join(parent, 'outbox');
  const mailer = configOf({ MAIL_OUTBOX: outbox });
  try {
    await createEmailChannel(mailer, letterhead)('ana@test.example', { subject: 'Booked', body: ['Booked'] });
    const [file = ''] = await readdir(outbox);
    const modes = await Promise.all(
      [outbox, join(outbox, file)].map(async (path) => (await stat(path)).mode),
    );
    expect(modes.map((mode) => (mode & 0o777).toString(8))).toEqual(['700', '600']);
  } finally {
    await rm(parent, { recursive: true });
  }
});
