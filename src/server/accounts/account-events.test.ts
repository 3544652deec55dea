import { beforeEach, expect, test } from 'vitest';
import { authApi } from '#domain/auth/contract.ts';
import { password, setUpAccountsServer } from '#server/test-support/accounts-server.test-support.ts';
import {
  codeOf,
  type Factor,
  nextCodeOf,
  wrongCodeOf,
} from '#server/test-support/authenticator.test-support.ts';
import {
  callAuth,
  callEndpoint,
  openSession,
  type Session,
} from '#server/test-support/contract-client.test-support.ts';

const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36';
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0';
let people = 0;
let email: string;
let userId: string;

const server = setUpAccountsServer();
beforeEach(async () => {
  people += 1;
  email = `person-${people}@events.example`;
  ({ userId } = await server.addPerson(email));
});

async function signIn(userAgent = chrome, ipAddress = '198.51.100.7'): Promise<Session> {
  const headers = { 'user-agent': userAgent, 'x-forwarded-for': ipAddress };
  return openSession(server.url, { email, password }, { headers });
}

const auth = <T>(token: string, method: string, path: string, body?: object) =>
  callAuth<T>(server.url, { token }, path, { method, body });

const entries = () =>
  server.db
    .selectFrom('auditLog')
    .select(['action', 'actorUserId', 'actorSystem', 'before', 'after'])
    .where('subjectId', '=', userId)
    .orderBy('auditId')
    .execute();
const actions = async () => (await entries()).map(({ action }) => action);
const subjects = async (word: RegExp) =>
  (await server.emailsTo(email)).map(({ subject }) => subject).filter((subject) => word.test(subject));

/** Enters a code in this session and returns the HTTP status. */
async function giveCode(token: string, factorId: string, code: string): Promise<number> {
  const challenge = await auth<{ id: string }>(token, 'POST', `/factors/${factorId}/challenge`);
  const proof = { challenge_id: challenge.body.id, code };
  return (await auth(token, 'POST', `/factors/${factorId}/verify`, proof)).status;
}

async function enrol(token: string): Promise<{ factorId: string; secret: string }> {
  const { id, totp } = (await auth<Factor>(token, 'POST', '/factors', { factor_type: 'totp' })).body;
  expect(await giveCode(token, id, codeOf(totp.secret))).toBe(200);
  return { factorId: id, secret: totp.secret };
}

test("audits a person's account changes without recording values", async () => {
  const { access_token: token } = await signIn();
  await signIn();
  const { sessions } = (await callEndpoint(server.url, { token }, authApi.listSessions, {})).body;
  const { sessionId } = sessions.find(({ isCurrent }) => !isCurrent)!;
  expect((await callEndpoint(server.url, { token }, authApi.endSession, { sessionId })).status).toBe(200);
  await signIn();
  expect((await auth(token, 'POST', '/logout?scope=others', {})).status).toBe(204);
  const rename = () => auth(token, 'PUT', '/user', { data: { full_name: 'Kim Ross' } });
  expect([(await rename()).status, (await rename()).status]).toEqual([200, 200]);
  const change = { password: 'purple-penalty-spot', current_password: password };
  expect((await auth(token, 'PUT', '/user', change)).status).toBe(200);
  const { factorId } = await enrol(token);
  expect((await auth(token, 'DELETE', `/factors/${factorId}`)).status).toBe(200);
  expect(await actions()).toEqual([
    'sessions.ended',
    'sessions.ended',
    'name.changed',
    'password.changed',
    'two_step.on',
    'two_step.off',
  ]);
  const all = await entries();
  expect(all.every(({ actorUserId }) => actorUserId === userId)).toBe(true);
  expect(JSON.stringify(all)).not.toMatch(/Kim|penalty|198\.51/);
});

test('audits a change of email address without recording the addresses', async () => {
  const { access_token: token } = await signIn();
  const moved = `moved-${people}@events.example`;
  expect((await auth(token, 'PUT', '/user', { email: moved })).status).toBe(200);
  for (const to of [email, moved]) {
    const message = await server.emailAbout(to, /^Confirm/);
    const tokenHash = new URL(server.linkIn(message)).searchParams.get('token');
    await server.post('/auth/v1/verify', { type: 'email_change', token_hash: tokenHash });
  }
  expect(await entries()).toEqual([
    { action: 'email.changed', actorUserId: userId, actorSystem: null, before: null, after: null },
  ]);
});

test('emails a person about new browsers and networks, at most five times a day', async () => {
  await signIn();
  await signIn();
  expect(await actions(), 'the first sign-ins have nothing to compare with').toEqual([]);
  await signIn(firefox);
  const message = await server.emailAbout(email, /^New sign-in/);
  expect(message.text).toContain('Browser: Firefox on Linux');
  expect(message.text).toContain('IP address: 198.51.100.7');
  expect(message.text).toContain(`${server.publicUrl}/account`);
  await signIn(firefox);
  await signIn(chrome, '203.0.113.9');
  expect((await entries()).map(({ action, actorSystem, after }) => [action, actorSystem, after])).toEqual([
    ['sign_in.new_device', 'sign-in', { device: 'Firefox on Linux' }],
    ['sign_in.new_device', 'sign-in', { device: 'Chrome on Windows' }],
  ]);
  for (const host of [10, 11, 12, 13, 14, 15]) await signIn(chrome, `192.0.2.${host}`);
  expect((await actions()).length).toBe(5);
  await expect.poll(async () => (await subjects(/^New sign-in/)).length, { timeout: 45_000 }).toBe(5);
});

test('emails once about wrong codes, and about a new device after a correct code', async () => {
  const own = await signIn();
  const { factorId, secret } = await enrol(own.access_token);
  const { access_token: token } = await signIn(firefox, '203.0.113.77');
  const wrong = wrongCodeOf(secret);
  expect(await giveCode(own.access_token, factorId, wrong), "the owner's mistake").toBe(422);
  expect(await actions()).toEqual(['two_step.on']);
  expect(await giveCode(token, factorId, wrong)).toBe(422);
  expect(await giveCode(token, factorId, wrong)).toBe(422);
  const message = await server.emailAbout(email, /a wrong code$/);
  expect(message.text).toContain(`${server.publicUrl}/forgot-password`);
  expect(await actions()).toEqual(['two_step.on', 'sign_in.wrong_code']);
  expect(await giveCode(token, factorId, nextCodeOf(secret))).toBe(200);
  expect(await actions()).toEqual(['two_step.on', 'sign_in.wrong_code', 'sign_in.new_device']);
  await server.emailAbout(email, /^New sign-in/);
  expect(await subjects(/a wrong code$/)).toHaveLength(1);
});
