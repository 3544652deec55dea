import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { notificationsApi } from '#domain/notifications/contract.ts';
import { wallTimeOf } from '#domain/time.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { beforeTests, eventually, startTestApp } from '#server/test-support/test-app.test-support.ts';
import { type SmtpServer, startSmtpServer } from '#tools/smtp-server.ts';
import { isHardBounce, readReport } from './bounces.ts';
import { sendEmail } from './notify.ts';

const secret = 'bounce-secret-of-tests';
const smtp = {} as SmtpServer;
/** The mail server confirms that it accepted an email only once this promise has resolved. */
let confirmed = Promise.resolve();
beforeAll(async () => void Object.assign(smtp, await startSmtpServer({ confirm: () => confirmed })));
const app = beforeTests(() =>
  startTestApp({
    env: { SMTP_URL: smtp.url, BOUNCE_ADDRESS: 'bounces@club.example', BOUNCE_SECRET: secret },
  }),
);
const club = beforeTests(() => openClub(app));
afterAll(async () => {
  await app.stop?.();
  await smtp.close();
});

const titlesOf = async (who: Someone) =>
  (await app.call(who, notificationsApi.listNotifications, {})).body.notifications.map(({ title }) => title);
const unreachable = async (who: Someone) =>
  (await app.call(who, notificationsApi.getPreferences, {})).body.preferences.unreachable;
/** Waits for an email to this person that contains this text; returns its return path. */
const returnPathOf = ({ email }: Someone, words: string) =>
  eventually(async () => {
    const index = smtp.messages.findIndex((text, n) => smtp.accepted[n] === email && text.includes(words));
    return index >= 0 && smtp.returnPaths[index];
  });
const report = (body: string, contentType = 'application/json', token = secret) =>
  fetch(`${app.url}/webhooks/email-bounces`, {
    method: 'POST',
    body,
    headers: { 'content-type': contentType, authorization: `Bearer ${token}` },
  });
const inDays = (days: number) =>
  wallTimeOf((Math.ceil(Date.now() / 60_000) + 5) * 60_000 + days * 86_400_000);

async function bookMoveAndWait(days: number) {
  const slotId = await club.publish();
  const customer = await club.join();
  expect((await club.bookUntilDecided(customer, slotId)).status).toBe(200);
  await app.call(club.coach, lessonsApi.moveSlot, { slotId, ...inDays(days) });
  return { slotId, customer, returnPath: await returnPathOf(customer, 'has moved a lesson you booked') };
}

/** A delivery status notification as Postfix writes it. */
const dsn = (to: string, action: string, status: string) =>
  [
    'From: MAILER-DAEMON@mx.example',
    `To: ${to}`,
    'Subject: Undelivered Mail Returned to Sender',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    '',
    '--b',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example',
    '',
    `Final-Recipient: rfc822; somebody@test.example`,
    `Action: ${action}`,
    `Status: ${status}`,
    'Diagnostic-Code: smtp; 550 5.1.1 unknown user',
    '--b--',
  ].join('\r\n');

const nameOf = async ({ userId }: Someone) =>
  (
    await app.db
      .selectFrom('profiles')
      .select('fullName')
      .where('userId', '=', userId)
      .executeTakeFirstOrThrow()
  ).fullName;

test('stops emailing after a hard bounce, and notifies the coach and the admins [NOTE-14a, NOTE-14c]', async () => {
  const admin = await app.signIn('admin');
  const { slotId, customer, returnPath } = await bookMoveAndWait(50);
  expect(returnPath).toMatch(/^bounces\+n[0-9a-f]{32}\.[0-9a-f]{12}@club\.example$/);
  expect(returnPath.split('@')[0]!.length).toBeLessThanOrEqual(64);

  const delayed = await report(dsn(returnPath, 'delayed', '4.4.1'), 'message/rfc822');
  expect(await delayed.json()).toEqual({ received: true, isKnown: true });
  expect(await unreachable(customer)).toBeNull();

  const failed = await report(dsn(returnPath.toUpperCase(), 'failed', '5.1.1'), 'message/rfc822');
  expect(await failed.json()).toEqual({ received: true, isKnown: true });
  expect(await unreachable(customer)).toBe('bounced');
  const who = `We couldn't reach ${await nameOf(customer)} about Tennis basics`;
  const notReached = await eventually(async () =>
    (await titlesOf(club.coach)).find((title) => title.startsWith(who)),
  );
  expect(await titlesOf(admin)).toContain(notReached);
  // The same report, sent again, notifies nobody a second time.
  await report(dsn(returnPath, 'failed', '5.1.1'), 'message/rfc822');

  const sent = smtp.accepted.filter((to) => to === customer.email).length;
  await app.call(club.coach, lessonsApi.moveSlot, { slotId, ...inDays(51) });
  await eventually(
    async () =>
      (await titlesOf(club.coach)).filter((title) => title.startsWith("We couldn't reach")).length === 2,
  );
  expect(smtp.accepted.filter((to) => to === customer.email)).toHaveLength(sent);
  // The app still lists the change.
  expect((await titlesOf(customer)).filter((title) => title.startsWith('New time'))).toHaveLength(2);

  // After the person has said that the address works, it receives emails again.
  await app.call(customer, notificationsApi.retryEmail, {});
  expect(await unreachable(customer)).toBeNull();
  const { bookings } = (await app.call(customer, bookingsApi.listMine, {})).body;
  const { bookingId } = bookings[0]!;
  await app.call(customer, bookingsApi.cancel, { bookingId, expectedRefundCents: 5000 });
  await returnPathOf(customer, 'Your booking is cancelled');
});

test('notifies nobody of a bounced email to a customer who has since cancelled [NOTE-14c]', async () => {
  const admin = await app.signIn('admin');
  const { customer, returnPath } = await bookMoveAndWait(59);
  const { bookings } = (await app.call(customer, bookingsApi.listMine, {})).body;
  const { bookingId } = bookings[0]!;
  const cancelled = await app.call(customer, bookingsApi.cancel, { bookingId, expectedRefundCents: 5000 });
  expect(cancelled.status).toBe(200);
  await report(JSON.stringify({ event: 'bounced', status: '5.1.1', returnPath }));
  expect(await unreachable(customer)).toBe('bounced');
  await eventually(async () => {
    const { rows } = await sql`select from graphile_worker.jobs
      where task_identifier = 'notifications.bounced'`.execute(app.db);
    return rows.length === 0;
  });
  const name = await nameOf(customer);
  for (const who of [club.coach, admin]) {
    const titles = (await titlesOf(who)).filter((title) => title.startsWith(`We couldn't reach ${name}`));
    expect(titles).toEqual([]);
  }
});

test('stops emailing after a complaint, but not after a soft bounce or a forged report [NOTE-14a]', async () => {
  const { slotId, customer, returnPath } = await bookMoveAndWait(53);
  const wrong = await report(
    JSON.stringify({ event: 'complained', returnPath }),
    'application/json',
    'guess',
  );
  expect(wrong.status).toBe(401);
  const soft = await report(JSON.stringify({ event: 'bounced', status: '5.2.2', returnPath }));
  expect(soft.status).toBe(200);
  expect(await unreachable(customer)).toBeNull();
  const forged = returnPath.replace(/.@/, (end) => (end === '0@' ? '1@' : '0@'));
  const answer = await report(JSON.stringify({ event: 'complained', returnPath: forged }));
  expect(await answer.json()).toEqual({ received: true, isKnown: false });
  expect(await unreachable(customer)).toBeNull();
  await report(JSON.stringify({ event: 'complained', returnPath }));
  expect(await unreachable(customer)).toBe('complained');
  const sent = smtp.accepted.filter((to) => to === customer.email).length;
  await app.call(club.coach, lessonsApi.moveSlot, { slotId, ...inDays(54) });
  const who = `We couldn't reach ${await nameOf(customer)} about Tennis basics`;
  await eventually(async () => (await titlesOf(club.coach)).some((title) => title.startsWith(who)));
  expect(smtp.accepted.filter((to) => to === customer.email)).toHaveLength(sent);
});

test('records a bounce that arrives before the email is recorded as sent [NOTE-14a]', async () => {
  const { slotId, customer } = await bookMoveAndWait(56);
  let confirm = () => {};
  confirmed = new Promise((resolve) => {
    confirm = resolve;
  });
  const sent = smtp.messages.length;
  await app.call(club.coach, lessonsApi.moveSlot, { slotId, ...inDays(57) });
  const returnPath = await eventually(async () => {
    const index = smtp.accepted.findIndex((to, n) => n >= sent && to === customer.email);
    return index >= 0 && smtp.returnPaths[index];
  });
  const early = await report(JSON.stringify({ event: 'bounced', status: '5.1.1', returnPath }));
  expect(await early.json()).toEqual({ received: true, isKnown: true });
  confirm();
  const who = `We couldn't reach ${await nameOf(customer)} about Tennis basics`;
  await eventually(async () => (await titlesOf(club.coach)).some((title) => title.startsWith(who)));
  expect(await unreachable(customer)).toBe('bounced');
});

test('refuses a malformed report and names the invalid field [API-2]', async () => {
  const malformed: [body: string, status: number, named: string | null][] = [
    ['{', 400, null],
    ['[]', 422, null],
    ['{"event":"moved","returnPath":"x"}', 422, 'event'],
    ['{"event":"bounced","returnPath":7}', 422, 'returnPath'],
    ['{"event":"bounced","returnPath":"x","status":5}', 422, 'status'],
  ];
  for (const [body, status, named] of malformed) {
    const answer = await report(body);
    const { error } = (await answer.json()) as { error: { message: string; fields?: object } };
    expect([answer.status, error.fields], body).toEqual([
      status,
      named ? { [named]: error.message } : undefined,
    ]);
  }
});

test('suppresses an address after a permanent refusal; retries after a temporary one [NOTE-14b]', async () => {
  const slotId = await club.publish();
  const [gone, later, barred] = [await club.join(), await club.join(), await club.join()];
  await club.bookUntilDecided(gone, slotId);
  await returnPathOf(gone, 'View or cancel your booking');
  smtp.setRefusal('550 5.1.1 <[to]>: no such user');
  await app.call(club.coach, lessonsApi.moveSlot, { slotId, ...inDays(56) });
  await eventually(async () => (await unreachable(gone)) === 'bounced');
  // An email that is not a notification is not retried either.
  await sendEmail(app.db, 'nobody@test.example', { subject: 'Your link', body: ['Link'] });
  await eventually(async () => {
    const { rows } = await sql`select from suppressions
      where address_hash = hash_address('nobody@test.example')
        and not exists (select from graphile_worker.jobs where task_identifier = 'notifications.send')`.execute(
      app.db,
    );
    return rows.length === 1;
  });
  // The second refusal is not about the address, although an unknown address has the same code, 550.
  for (const [customer, refusal] of [
    [later, '451 4.3.0 try again later'],
    [barred, '550 relay not permitted for 93.5.1.20'],
  ] as const) {
    smtp.setRefusal(refusal);
    const booked = await club.bookUntilDecided(customer, await club.publish());
    expect(booked.status).toBe(200);
    const waiting = await eventually(() =>
      app.db
        .selectFrom('deliveries')
        .innerJoin('notifications', 'notifications.notificationId', 'deliveries.notificationId')
        .select(['status', 'deliveries.notificationId'])
        .where('userId', '=', customer.userId)
        .executeTakeFirst(),
    );
    expect(waiting.status).toBe('queued');
  }
  smtp.setRefusal(null);
  for (const customer of [later, barred]) {
    await returnPathOf(customer, 'View or cancel your booking');
    expect(await unreachable(customer)).toBeNull();
  }
});

test('distinguishes a bad address from a full mailbox and from refused content [NOTE-14]', () => {
  for (const status of ['5.0.0', '5.1.1', '5.1.10', '5.2.1']) expect(isHardBounce(status), status).toBe(true);
  for (const status of ['4.2.2', '5.1.7', '5.1.8', '5.2.2', '5.2.3', '5.3.4', '5.7.1', '2.0.0', '']) {
    expect(isHardBounce(status), status).toBe(false);
  }
  // A quoted email may contain anything; the report itself comes first.
  const quoted = `${dsn('bounces@club.example', 'delayed', '4.2.2')}\r\n\r\n“Rain.\r\nFeedback-Type: abuse\r\nGo home.”`;
  expect(readReport(quoted)?.event).toBe('delayed');
  const complaint = 'Feedback-Type: abuse\r\nVersion: 1\r\n\r\nAction: delayed\r\nStatus: 4.2.2';
  expect(readReport(complaint)?.event).toBe('complained');
});
