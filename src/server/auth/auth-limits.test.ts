import { beforeAll, beforeEach, expect, test } from 'vitest';
import { createUser } from '#server/accounts/create-user.ts';
import { password, setUpAccountsServer } from '#server/test-support/accounts-server.test-support.ts';
import { hashPassword } from './passwords/password-hash.ts';

const email = 'target@limits.example';
const window = { seconds: 600 };
const server = setUpAccountsServer({
  limits: {
    failedSignInsPerAccountAndAddress: { calls: 3, ...window },
    failedSignInsPerAccount: { calls: 5, ...window },
    failedSignInsPerAddress: { calls: 8, ...window },
    signUpsPerAddress: { calls: 3, ...window },
    emailsPerAccount: { calls: 2, ...window },
    refreshesPerSession: { calls: 4, ...window },
    wrongTokensPerAddress: { calls: 3, ...window },
  },
});
beforeAll(async () => {
  await server.addPerson(email, { fullName: 'T' });
});
beforeEach(async () => {
  await server.db.deleteFrom('rateLimits').execute();
});

const from = (ipAddress: string) => ({ 'x-forwarded-for': ipAddress });
const guess = (address: string, ipAddress: string, secret = 'a-wrong-guess') =>
  server.post('/auth/v1/token?grant_type=password', { email: address, password: secret }, from(ipAddress));

test('allows only five of ten simultaneous guesses from ten IP addresses [AUTH-13]', async () => {
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) => guess(email, `192.0.2.${index}`)),
  );
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([400, 400, 400, 400, 400, 429, 429, 429, 429, 429]);
  const refused = await guess(email, '192.0.2.99', password);
  expect(refused.status).toBe(429);
  const wait = Number(refused.headers.get('retry-after'));
  expect(wait).toBeGreaterThan(540);
  expect(wait).toBeLessThanOrEqual(600);
  const refusal = await refused.json();
  expect(refusal).toMatchObject({
    code: 'over_request_rate_limit',
    msg: 'Too many failed attempts to sign in. Please try again in 10 minutes, or choose a new password through “Forgot your password?”.',
  });

  const unknown = await Promise.all(
    Array.from({ length: 6 }, (_, index) => guess('nobody@limits.example', `198.51.100.${index}`)),
  );
  const limited = unknown.filter(({ status }) => status === 429);
  expect(limited).toHaveLength(1);
  expect(await limited[0]!.json(), 'an unknown address gets the same response').toEqual(refusal);
});

test("enforces a limit across processes until the limit's period ends [AUTH-13]", async () => {
  const other = await server.serveWith({});
  try {
    for (let round = 0; round < 5; round += 1) await guess(email, `192.0.2.${round}`);
    const elsewhere = await server.client(other.url).signInWithPassword({ email, password });
    expect(elsewhere.error).toMatchObject({ status: 429, code: 'over_request_rate_limit' });
    await server.db
      .updateTable('rateLimits')
      .set({ expiresAtMs: Date.now() - 1 })
      .execute();
    expect((await server.client(other.url).signInWithPassword({ email, password })).error).toBeNull();
  } finally {
    await other.stop();
  }
});

test('limits failed sign-ins per network for IPv6 addresses [AUTH-13]', async () => {
  const statuses: number[] = [];
  for (let person = 0; person < 9; person += 1) {
    statuses.push((await guess(`p${person}@limits.example`, `2001:db8:0:7::${person + 1}`)).status);
  }
  expect(statuses).toEqual([...Array(8).fill(400), 429]);
  expect((await guess(email, '2001:db8:0:8::1', password)).status).toBe(200);
});

test("does not count attempts from a limited IP address towards an account's limit [AUTH-13]", async () => {
  for (let person = 0; person < 8; person += 1) await guess(`q${person}@limits.example`, '192.0.2.1');
  for (let round = 0; round < 5; round += 1) expect((await guess(email, '192.0.2.1')).status).toBe(429);
  expect((await guess(email, '192.0.2.2', password)).status).toBe(200);
});

test('does not count successful sign-ins towards the limit', async () => {
  for (let round = 0; round < 12; round += 1) {
    expect((await guess(email, '192.0.2.1', password)).status).toBe(200);
  }
  for (let round = 0; round < 2; round += 1) await guess(email, '192.0.2.1');
  expect((await guess(email, '192.0.2.1', password)).status).toBe(200);
  for (let round = 0; round < 3; round += 1) expect((await guess(email, '192.0.2.1')).status).toBe(400);
});

test('does not lock the owner out when others try to guess the password [AUTH-13]', async () => {
  const [owner, home] = ['owner@limits.example', '203.0.113.7'];
  const person = { email: owner, password, fullName: 'O', roles: ['customer' as const] };
  const { userId } = await createUser({ db: server.db, ...person, isConfirmed: true });
  expect((await guess(owner, home, password)).status).toBe(200);
  await Promise.all(Array.from({ length: 9 }, (_, index) => guess(owner, `192.0.2.${index}`)));
  expect((await guess(owner, '198.51.100.1', password)).status, 'an unfamiliar address is limited').toBe(429);
  expect((await guess(owner, home, password)).status, 'the home address is not').toBe(200);

  // The owner's usual IP address has its own limit. Attempts from that address do not reset the shared limit.
  for (let round = 0; round < 3; round += 1) expect((await guess(owner, home)).status).toBe(400);
  expect((await guess(owner, home, password)).status).toBe(429);
  expect((await guess(owner, '198.51.100.1', password)).status).toBe(429);

  // A sign-in without the authenticator app's code does not make an IP address familiar.
  await server.db.deleteFrom('rateLimits').execute();
  await server.db.deleteFrom('sessions').where('userId', '=', userId).execute();
  const factor = { userId, status: 'verified' as const, encryptedSecret: 'encrypted' };
  await server.db.insertInto('factors').values(factor).execute();
  expect((await guess(owner, home, password)).status).toBe(200);
  await Promise.all(Array.from({ length: 9 }, (_, index) => guess(owner, `192.0.2.${index}`)));
  expect((await guess(owner, home, password)).status).toBe(429);
});

test('limits sign-ups per IP address and emails per account [AUTH-13]', async () => {
  const signUp = (address: string, ipAddress: string) =>
    server.post('/auth/v1/signup', { email: address, password }, from(ipAddress));
  const resend = (address: string) => server.post('/auth/v1/resend', { type: 'signup', email: address });
  for (let person = 0; person < 3; person += 1) {
    expect((await signUp(`new-${person}@limits.example`, '192.0.2.5')).status).toBe(200);
  }
  expect((await signUp('new-4@limits.example', '192.0.2.5')).status).toBe(429);

  expect((await resend('new-0@limits.example')).status).toBe(200);
  const refused = await resend('new-0@limits.example');
  expect(refused.status).toBe(429);
  expect(await refused.json()).toMatchObject({ code: 'over_email_send_rate_limit' });
  expect((await signUp('new-0@limits.example', '192.0.2.77')).status, 'also from another address').toBe(429);
  const statuses = [];
  for (let round = 0; round < 3; round += 1) statuses.push((await resend('never@limits.example')).status);
  expect(statuses).toEqual([200, 200, 429]);
});

test('limits refreshes per session and guessed refresh tokens per IP address', async () => {
  const { data } = await server.client().signInWithPassword({ email, password });
  let token = data.session!.refresh_token;
  const refresh = (refreshToken: string) =>
    server.post('/auth/v1/token?grant_type=refresh_token', { refresh_token: refreshToken });
  for (let round = 0; round < 4; round += 1) {
    token = ((await (await refresh(token)).json()) as { refresh_token: string }).refresh_token;
  }
  expect((await refresh(token)).status).toBe(429);
  await server.db.deleteFrom('rateLimits').execute();
  expect((await refresh(token)).status).toBe(200);
  const guesses = await Promise.all(['a', 'b', 'c', 'd'].map(refresh));
  expect(guesses.map(({ status }) => status).sort()).toEqual([400, 400, 400, 429]);
});

test('stops one IP address from filling the password-hashing queue', async () => {
  const rush = Promise.allSettled(Array.from({ length: 60 }, () => hashPassword(password, 'one address')));
  await expect(hashPassword(password, 'another address')).resolves.toMatch(/^\$argon2id/);
  const refused = (await rush).filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(60 - 2 - 30);
});

test('refuses requests once the password-hashing queue is full', async () => {
  const outcomes = await Promise.allSettled(
    Array.from({ length: 210 }, (_, index) => hashPassword(password, `address ${index}`)),
  );
  const refused = outcomes.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(8);
  expect((refused[0] as PromiseRejectedResult).reason).toMatchObject({ status: 429 });
  expect((await guess(email, '192.0.2.1', password)).status).toBe(200);
});
