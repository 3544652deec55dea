import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { sendEmail } from '#server/notifications/notify.ts';
import { enqueue } from '#server/platform/jobs/enqueue.ts';
import { runProgram } from '#server/test-support/built-programs.test-support.ts';
import { type Club, openClub } from '#server/test-support/club.test-support.ts';
import { eventually, startTestApp, type TestApp } from '#server/test-support/test-app.test-support.ts';
import { type SmtpServer, startSmtpServer } from '#tools/smtp-server.ts';

const token = 'only-for-the-monitor';
let smtpServer: SmtpServer;
let app: TestApp;
let club: Club;
beforeAll(async () => {
  smtpServer = await startSmtpServer({ isSilent: true });
  app = await startTestApp({
    env: { SMTP_URL: smtpServer.url, MAIL_OUTBOX: '', METRICS_TOKEN: token },
  });
  club = await openClub(app);
});
afterAll(async () => {
  // Ends the deliveries in progress, so that the app's server can stop.
  await smtpServer.close();
  await app.stop();
});

async function readFigure(name: string): Promise<number> {
  const answer = await fetch(`${app.url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(await answer.text())?.[1]);
}

const setFailures = (recipient: string, attempts: number) =>
  sql`update graphile_worker._private_jobs set attempts = ${attempts}, locked_at = null, locked_by = null,
    run_at = now() + interval '1 hour' where payload ->> 'to' = ${recipient}`.execute(app.db);

test('refunds bookings and sweeps payments while the SMTP server hangs', async () => {
  for (let n = 0; n < 8; n += 1) {
    await sendEmail(app.db, `held-${n}@test.example`, { subject: 'Held', body: ['Held'] });
  }
  await eventually(async () => smtpServer.connections() >= 4);

  const slotId = await club.publish();
  expect((await club.book(await club.join(), slotId)).body).toMatchObject({ outcome: 'booked' });
  const cancelled = await app.call(club.coach, lessonsApi.cancelSlot, {
    slotId,
    reason: 'The hall is closed.',
  });
  expect(cancelled.status).toBe(200);
  await eventually(async () => (await club.readBookings(slotId))[0]?.status === 'refunded');
  expect(await club.netCharges(slotId)).toEqual([]);

  await sql`update health set swept_at = now() - interval '1 hour'`.execute(app.db);
  await club.sweep();
  await eventually(async () => (await readFigure('app_payment_sweep_age_seconds')) < 60);
  await eventually(async () => smtpServer.connections() >= 4);
});

test('reports the age of the last payment sweep in the readiness check', async () => {
  const ready = async () => (await fetch(`${app.url}/readyz`)).json();
  await eventually(async () => (await ready()).paymentSweepAgeSeconds < 60);
  expect(await ready()).toEqual({ status: 'ok', paymentSweepAgeSeconds: expect.any(Number) });
  await eventually(async () => {
    await sql`update health set swept_at = now() - interval '3 minutes'`.execute(app.db);
    const { status, warning } = await ready();
    return status === 'ok' && warning === 'payments are not being settled';
  });
});

test('counts waiting jobs, and failed jobs until they are retried or deleted', async () => {
  const [waiting, failed] = ['waiting@test.example', 'failed@test.example'];
  for (const to of [waiting, failed]) {
    await enqueue(
      app.db,
      'notifications.send',
      { to, subject: 'Held', body: ['Held'] },
      { runAt: new Date(Date.now() + 3_600_000) },
    );
  }
  await setFailures(failed, 25);
  await eventually(async () => {
    await setFailures(waiting, 0);
    const before = await readFigure('app_waiting_jobs');
    await setFailures(waiting, 1);
    // Other jobs may have begun or ended between the two readings.
    return (await readFigure('app_waiting_jobs')) >= before + 1;
  });
  expect(await readFigure('app_failed_jobs')).toBe(1);

  const env = { ...process.env, DATABASE_URL: app.databaseUrl };
  const listed = await runProgram('admin', ['failed-jobs'], env);
  expect(listed.stdout).toMatch(/^\d+ {2}notifications\.send {2}\S+Z/);
  const [jobId = ''] = listed.stdout.split(' ');
  expect((await runProgram('admin', ['retry-jobs'], env)).stdout).toBe('Jobs that will run again: 1.\n');
  expect(await readFigure('app_failed_jobs')).toBe(0);
  await setFailures(failed, 25);
  expect((await runProgram('admin', ['delete-jobs', jobId], env)).stdout).toBe('Jobs deleted: 1.\n');
  expect(await readFigure('app_failed_jobs')).toBe(0);
  expect((await runProgram('admin', ['failed-jobs'], env)).stdout).toBe('There are no failed jobs.\n');
});
