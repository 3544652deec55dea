import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sendEmail } from '#server/notifications/notify.ts';
import { eventually, startTestApp, type TestApp } from '#server/test-support/test-app.test-support.ts';
import { type SmtpServer, startSmtpServer } from '#tools/smtp-server.ts';

let smtpServer: SmtpServer;
let app: TestApp;
let confirmAll: () => void;
beforeEach(async () => {
  const confirmed = new Promise<void>((resolve) => {
    confirmAll = resolve;
  });
  smtpServer = await startSmtpServer({ confirm: () => confirmed });
  app = await startTestApp({ env: { SMTP_URL: smtpServer.url, MAIL_OUTBOX: '' } });
});
afterEach(async () => {
  await app.stop();
  await smtpServer.close();
});

test('sends each email in progress exactly once when the server stops', async () => {
  const recipients = Array.from({ length: 7 }, (_, n) => `person-${n}@test.example`);
  for (const to of recipients) await sendEmail(app.db, to, { subject: 'Once', body: ['Once'] });
  await eventually(async () => smtpServer.accepted.length >= 4);
  const underWay = [...smtpServer.accepted];
  const restarted = app.restart();
  confirmAll();
  await restarted;
  await eventually(async () => smtpServer.accepted.length >= 7);
  expect([...smtpServer.accepted].sort()).toEqual(recipients);
  expect(underWay.length).toBeGreaterThanOrEqual(4);

  await eventually(async () => {
    const { rows } =
      await sql`select id from graphile_worker.jobs where task_identifier = 'notifications.send'`.execute(
        app.db,
      );
    return rows.length === 0;
  });
});
