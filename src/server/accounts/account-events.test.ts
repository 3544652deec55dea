import { TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { authApi } from '#domain/auth/contract.ts';
import {
  type AccountsServer,
  startAccountsServer,
} from '#server/test-support/accounts-server.test-support.ts';
import { createUser } from './create-user.ts';

const password = 'orange-corner-flag';
const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36';
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0';
let server: AccountsServer;
let people = 0;
let email: string;
let userId: string;

beforeAll(async () => {
  server = await startAccountsServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  people += 1;
  email = `person-${people}@events.example`;
  const person = { email, password, fullName: 'Kim Vale', roles: ['customer' as const] };
  ({ userId } = await createUser({ db: server.db, ...person, isConfirmed: true }));
});

type Session = { access_token: string; user: { factors?: { id: string }[] } };

async function signIn(userAgent = chrome, ipAddress = '198.51.100.7'): Promise<Session> {
  const headers = { 'user-agent': userAgent, 'x-forwarded-for': ipAddress };
  const answer = await server.post('/auth/v1/token?grant_type=password', { email, password }, headers);
  expect(answer.status).toBe(200);
  return (await answer.json()) as Session;
}

const call = (token: string, method: string, path: string, body?: unknown) =>
  fetch(server.url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });

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

const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 });

/** Gives a code in this session; answers the HTTP status. */
async function giveCode(token: string, factorId: string, code: string): Promise<number> {
  const challenged = await call(token, 'POST', `/auth/v1/factors/${factorId}/challenge`, {});
  const { id } = (await challenged.json()) as { id: string };
  const verified = await call(token, 'POST', `/auth/v1/factors/${factorId}/verify`, {
    challenge_id: id,
    code,
  });
  return verified.status;
}

async function enrol(token: string): Promise<{ factorId: string; secret: string }> {
  const answer = await call(token, 'POST', '/auth/v1/factors', { factor_type: 'totp' });
  const { id, totp } = (await answer.json()) as { id: string; totp: { secret: string } };
  expect(await giveCode(token, id, codeOf(totp.secret))).toBe(200);
  return { factorId: id, secret: totp.secret };
}

test('records what a person changes about their account, without the values', async () => {
  const { access_token: token } = await signIn();
  await signIn();
  const { sessions } = (await (await call(token, 'GET', authApi.listSessions.path)).json()) as {
    sessions: { sessionId: string; isCurrent: boolean }[];
  };
  const other = sessions.find(({ isCurrent }) => !isCurrent)!;
  const path = authApi.endSession.path.replace(':sessionId', other.sessionId);
  expect((await call(token, authApi.endSession.method, path)).status).toBe(200);
  await signIn();
  expect((await call(token, 'POST', '/auth/v1/logout?scope=others', {})).status).toBe(204);
  const rename = () => call(token, 'PUT', '/auth/v1/user', { data: { full_name: 'Kim Ross' } });
  expect([(await rename()).status, (await rename()).status]).toEqual([200, 200]);
  const change = { password: 'purple-penalty-spot', current_password: password };
  expect((await call(token, 'PUT', '/auth/v1/user', change)).status).toBe(200);
  const { factorId } = await enrol(token);
  expect((await call(token, 'DELETE', `/auth/v1/factors/${factorId}`)).status).toBe(200);
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

test('records a new email address without naming it', async () => {
  const { access_token: token } = await signIn();
  const moved = `moved-${people}@events.example`;
  expect((await call(token, 'PUT', '/auth/v1/user', { email: moved })).status).toBe(200);
  for (const to of [email, moved]) {
    const message = await server.emailAbout(to, /^Confirm/);
    const tokenHash = new URL(server.linkIn(message)).searchParams.get('token');
    await server.post('/auth/v1/verify', { type: 'email_change', token_hash: tokenHash });
  }
  expect(await entries()).toEqual([
    { action: 'email.changed', actorUserId: userId, actorSystem: null, before: null, after: null },
  ]);
});

test('emails the owner when a browser or network is new, five times a day at most', async () => {
  await signIn();
  await signIn();
  expect(await actions(), 'the first sign-ins have nothing to be compared with').toEqual([]);
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

test('emails about wrong codes hourly and about new devices after the code', async () => {
  const own = await signIn();
  const { factorId, secret } = await enrol(own.access_token);
  const { access_token: token } = await signIn(firefox, '203.0.113.77');
  const near = [-2, -1, 0, 1, 2].map((steps) => codeOf(secret, steps));
  const wrong = ['000000', '111111', '222222', '333333', '444444', '555555'].find(
    (code) => !near.includes(code),
  )!;
  expect(await giveCode(own.access_token, factorId, wrong), 'of the owner').toBe(422);
  expect(await actions()).toEqual(['two_step.on']);
  expect(await giveCode(token, factorId, wrong)).toBe(422);
  expect(await giveCode(token, factorId, wrong)).toBe(422);
  const message = await server.emailAbout(email, /a wrong code$/);
  expect(message.text).toContain(`${server.publicUrl}/forgot-password`);
  expect(await actions()).toEqual(['two_step.on', 'sign_in.wrong_code']);
  expect(await giveCode(token, factorId, codeOf(secret, 1))).toBe(200);
  expect(await actions()).toEqual(['two_step.on', 'sign_in.wrong_code', 'sign_in.new_device']);
  await server.emailAbout(email, /^New sign-in/);
  expect(await subjects(/a wrong code$/)).toHaveLength(1);
});
