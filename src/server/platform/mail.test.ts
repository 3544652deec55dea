import { createServer } from 'node:net';
import pino from 'pino';
import { expect, test } from 'vitest';
import { startSmtpServer } from '#sandbox/smtp-server.ts';
import { eventually } from '../test-app.test-support.ts';
import { openDatabase, openPool } from './db.ts';
import { migrateJobs, startWorker } from './jobs.ts';
import { enqueueMail, mailJobs, openMailer } from './mail.ts';
import { createTestDatabase } from './test-database.test-support.ts';

test('a mail that cannot be sent leaves neither its links nor its address in the log', async () => {
  const mailServer = createServer((socket) => socket.end('554 no mail today\r\n'));
  await new Promise<void>((resolve) => mailServer.listen(0, '127.0.0.1', resolve));
  const { port } = mailServer.address() as { port: number };
  const database = await createTestDatabase();
  await migrateJobs(database.url);
  const pool = openPool(database.url, { size: 3 });
  const db = openDatabase(pool);
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const sendMail = openMailer({
    smtpUrl: `smtp://127.0.0.1:${port}`,
    outbox: undefined,
    from: 'club@test.example',
  });
  const worker = await startWorker(pool, mailJobs(sendMail), log);
  try {
    await enqueueMail(db, {
      to: 'ana@test.example',
      subject: 'Reset',
      text: 'https://club.test/#token=hunter2',
    });
    const line = await eventually(() => Promise.resolve(lines.find((one) => one.includes('554'))));
    expect(JSON.parse(line)).toMatchObject({ jobId: expect.anything(), task: 'mail.send' });
    expect(lines.join()).not.toMatch(/hunter2|ana@test\.example/);
  } finally {
    await worker.stop();
    await db.destroy();
    await database.drop();
    mailServer.close();
  }
});

test('gives up on a mail server that accepts a connection and says nothing', async () => {
  const mailServer = await startSmtpServer({ isSilent: true });
  const mailer = { smtpUrl: mailServer.url, outbox: undefined, from: 'club@test.example' };
  const sendMail = openMailer(mailer, { timeoutMs: 100 });
  try {
    await expect(sendMail({ to: 'ana@test.example', subject: 'Held', text: 'Held' })).rejects.toThrow(
      'Greeting never received',
    );
  } finally {
    await mailServer.close();
  }
});
