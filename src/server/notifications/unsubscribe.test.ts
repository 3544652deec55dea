import { expect, test } from 'vitest';
import { notificationsApi } from '#domain/notifications/contract.ts';
import { kindNames, kindOf, type NotificationKind } from '#domain/notifications/kinds.ts';
import { eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { createChannels } from './channels.ts';
import { notify } from './notify.ts';

const app = setUpTestApp();
const message = (subject: string) => ({
  subject,
  summary: 'A sentence.',
  body: ['Text'],
  action: { label: 'Open your account', path: '/account' },
});
const readChoices = async (who: Parameters<typeof app.call>[0]) =>
  (await app.call(who, notificationsApi.getPreferences, {})).body.preferences.choices;

/** Sends a notification of this kind straight through the email channel; returns the email. */
async function sendEmailOf(kind: NotificationKind, to: { userId: string; email: string }) {
  const notificationId = crypto.randomUUID();
  const delivered = { notificationId, kind, userId: to.userId };
  await createChannels(app).email(to.email, message(kind), delivered);
  return (await app.emailsTo(to.email)).findLast(({ subject }) => subject === kind)!;
}

test('stops one kind of email by POST without signing in, and changes nothing by GET [NOTE-5c, NOTE-13a]', async () => {
  const person = await app.signIn();
  const { headers, text, html } = await sendEmailOf('reminder_day', person);
  expect(headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click');
  const [, url = ''] = /^<(https?:.*)>$/.exec(headers['List-Unsubscribe']!) ?? [];
  expect(text).toContain(url);
  expect(html).toContain('Stop these emails');

  // Email scanners open links, sometimes twice, and some only request the headers.
  for (const method of ['GET', 'HEAD', 'GET']) {
    const opened = await fetch(url, { method });
    expect(opened.status).toBe(200);
    expect(opened.headers.get('cache-control')).toBe('no-store');
    if (method === 'GET') expect(await opened.text()).toContain('Stop these emails?');
  }
  expect(await readChoices(person)).toEqual([]);

  // RFC 8058: the email program posts this form without cookies.
  const oneClick = () =>
    fetch(url, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) });
  expect(await (await oneClick()).text()).toContain('These emails are switched off');
  expect((await oneClick()).status).toBe(200);
  expect(await readChoices(person)).toEqual([{ kind: 'reminder_day', channel: 'email', isOn: false }]);
  const event = { kind: 'reminder_day', subjectId: person.userId, version: 'x' } as const;
  await notify(app.db, person, event, message('Stopped'));
  await notify(app.db, person, { kind: 'paid_out', subjectId: person.userId }, message('Receipt'));
  await eventually(async () =>
    (await app.emailsTo(person.email)).some(({ subject }) => subject === 'Receipt'),
  );
  expect((await app.emailsTo(person.email)).map(({ subject }) => subject)).toEqual([
    'reminder_day',
    'Receipt',
  ]);
});

test('refuses a link that was forged, truncated or altered [NOTE-13a]', async () => {
  const [person, other] = [await app.signIn(), await app.signIn()];
  const { headers } = await sendEmailOf('reminder_day', person);
  const url = new URL(headers['List-Unsubscribe']!.slice(1, -1));
  const token = url.searchParams.get('token')!;
  for (const bad of ['', 'x', token.slice(0, -1), token.replace(person.userId, other.userId), `${token}0`]) {
    url.searchParams.set('token', bad);
    const answer = await fetch(url, { method: 'POST' });
    expect(answer.status, bad).toBe(404);
    expect(await answer.text()).toContain('This link doesn&#x27;t work');
  }
  expect([...(await readChoices(person)), ...(await readChoices(other))]).toEqual([]);
});

test('offers to stop six kinds of email, but never receipts or lesson changes [NOTE-13, NOTE-13b]', async () => {
  const withLink = kindNames.filter((kind) => kindOf(kind).hasUnsubscribe);
  expect(withLink).toEqual([
    ...['reminder_day', 'reminder_hours', 'announcement', 'note_shared', 'review_invitation', 'tomorrow'],
  ]);
  for (const kind of withLink) expect(kindOf(kind).rules.email, kind).not.toBe('always');
  const person = await app.signIn();
  for (const kind of withLink) {
    const { headers } = await sendEmailOf(kind, person);
    expect(headers['List-Unsubscribe'], kind).toMatch(/^<https?:.*\/unsubscribe\?token=.*>$/);
    expect(headers['List-Unsubscribe-Post'], kind).toBe('List-Unsubscribe=One-Click');
  }
  const changes = ['lesson_cancelled', 'lesson_moved', 'lesson_relocated', 'lesson_changed'] as const;
  for (const kind of ['booked', 'refund', 'paid_out', ...changes] as const) {
    const { headers, text, html } = await sendEmailOf(kind, person);
    expect(Object.keys(headers), kind).toEqual(['Auto-Submitted']);
    expect(text + html, kind).not.toContain('/unsubscribe');
  }
});
