import { TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { authApi } from '#domain/auth/contract.ts';
import { defaultBrand } from '#domain/default-brand.ts';
import { createUser } from '#server/accounts/create-user.ts';
import {
  type AccountsServer,
  startAccountsServer,
} from '#server/test-support/accounts-server.test-support.ts';

const password = 'orange-corner-flag';
let server: AccountsServer;
let people = 0;
let email: string;

beforeAll(async () => {
  server = await startAccountsServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.db.deleteFrom('rateLimits').execute();
  people += 1;
  email = `person-${people}@codes.example`;
  const person = { email, password, fullName: 'Kim Vale', roles: ['customer' as const] };
  await createUser({ db: server.db, ...person, isConfirmed: true });
});

async function signIn() {
  const client = server.client();
  const { error } = await client.signInWithPassword({ email, password });
  expect(error).toBeNull();
  return client;
}

type Client = Awaited<ReturnType<typeof signIn>>;
type Answer = { codes: string[]; left: number; madeAt: string | null; error: { code: string } };

async function call(client: Client, method: 'GET' | 'POST', body?: unknown) {
  const token = (await client.getSession()).data.session!.access_token;
  const response = await fetch(server.url + authApi.getRecoveryCodes.path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: body ? JSON.stringify(body) : null,
  });
  return { status: response.status, ...((await response.json()) as Answer) };
}

const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 });

/** Switches two-step sign-in on with the current code; that of the next step is unused then. */
async function enrol(client: Client) {
  const { data } = await client.mfa.enroll({ factorType: 'totp' });
  const { id: factorId, totp } = data as { id: string; totp: { secret: string } };
  const code = codeOf(totp.secret);
  expect((await client.mfa.challengeAndVerify({ factorId, code })).error).toBeNull();
  return { factorId, secret: totp.secret };
}

test('ten recovery codes sign in without the app, each once, and every use is emailed [AUTH-11e]', async () => {
  const client = await signIn();
  expect(await call(client, 'POST', {})).toMatchObject({ status: 409 });
  const { factorId } = await enrol(client);
  await server.emailAbout(email, new RegExp(`^Two-step sign-in on ${defaultBrand} was switched on`));
  expect(await call(client, 'GET')).toMatchObject({ left: 0, madeAt: null });
  const { codes } = await call(client, 'POST', {});
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){5}$/);
  const notice = await server.emailAbout(email, new RegExp(`^Recovery codes for ${defaultBrand}`));
  for (const code of codes) expect(notice.text).not.toContain(code);
  const stored = JSON.stringify(await server.db.selectFrom('recoveryCodes').selectAll().execute());
  for (const code of codes) expect(stored).not.toContain(code.replaceAll('-', ''));
  expect(await call(client, 'GET')).toMatchObject({ left: 10 });

  const lost = await signIn();
  expect((await call(lost, 'GET')).error.code).toBe('second_step_required');
  const events: string[] = [];
  lost.onAuthStateChange((event) => void events.push(event));
  // Typed as people copy it: capitals, spaces, and the letter o for a nought.
  const typed = ` ${codes[0]!.toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O')}`;
  expect((await lost.mfa.challengeAndVerify({ factorId, code: typed })).error).toBeNull();
  expect(events).toContain('MFA_CHALLENGE_VERIFIED');
  expect(await call(lost, 'GET')).toMatchObject({ left: 9 });
  const used = await server.emailAbout(email, new RegExp(`^A recovery code was used on ${defaultBrand}`));
  expect(used.text).toContain('9 recovery codes are left.');

  const again = await signIn();
  const replay = await again.mfa.challengeAndVerify({ factorId, code: codes[0]! });
  expect(replay.error).toMatchObject({ status: 422, code: 'mfa_verification_failed' });
  const both = await Promise.all(
    [await signIn(), await signIn()].map((other) =>
      other.mfa.challengeAndVerify({ factorId, code: codes[1]! }),
    ),
  );
  expect(both.filter(({ error }) => error === null)).toHaveLength(1);
});

test('replaces recovery codes and ends them with two-step sign-in', async () => {
  const client = await signIn();
  const { factorId, secret } = await enrol(client);
  const { codes: old } = await call(client, 'POST', {});
  expect((await call(client, 'POST', {})).status, 'only the first ones come without a code').toBe(422);
  const wrong = ['000000', '111111', '222222', '333333'].find(
    (code) => ![-1, 0, 1, 2].some((step) => codeOf(secret, step) === code),
  );
  expect((await call(client, 'POST', { code: wrong })).status).toBe(422);
  const fresh = await call(client, 'POST', { code: codeOf(secret, 1) });
  expect(fresh.codes).toHaveLength(10);
  await server.emailAbout(email, new RegExp(`^New recovery codes for ${defaultBrand}`));

  const lost = await signIn();
  expect((await lost.mfa.challengeAndVerify({ factorId, code: old[0]! })).error?.status).toBe(422);
  expect((await lost.mfa.challengeAndVerify({ factorId, code: fresh.codes[0]! })).error).toBeNull();
  expect((await lost.mfa.unenroll({ factorId })).error).toBeNull();
  await server.emailAbout(email, /was switched off$/);
  expect((await call(await signIn(), 'GET')).left).toBe(0);
});

test('asks for the password to switch two-step sign-in in an old session', async () => {
  const client = await signIn();
  const { factorId } = await enrol(client);
  const confirmedAt = new Date(Date.now() - 16 * 60_000).toISOString();
  await server.db.updateTable('sessions').set({ confirmedAt }).execute();
  expect((await client.mfa.unenroll({ factorId })).error?.code).toBe('reauthentication_needed');
  expect((await call(client, 'POST', {})).error.code).toBe('confirmation_required');
  expect((await client.updateUser({ current_password: password })).error).toBeNull();
  expect((await call(client, 'POST', {})).status).toBe(200);
  expect((await client.mfa.unenroll({ factorId })).error).toBeNull();
  await server.db.updateTable('sessions').set({ confirmedAt }).execute();
  expect((await client.mfa.enroll({ factorType: 'totp' })).error?.code).toBe('reauthentication_needed');
});

test("limits guesses of recovery codes and refuses another person's [AUTH-13]", async () => {
  const client = await signIn();
  const app = await enrol(client);
  const { codes } = await call(client, 'POST', {});

  email = `stranger-${people}@codes.example`;
  const person = { email, password, fullName: 'Lee', roles: ['customer' as const] };
  await createUser({ db: server.db, ...person, isConfirmed: true });
  const stranger = await signIn();
  const own = await stranger.mfa.enroll({ factorType: 'totp' });
  const early = await stranger.mfa.challengeAndVerify({ factorId: own.data!.id, code: codes[0]! });
  expect(early.error?.code).toBe('mfa_verification_failed');
  const theirs = await enrol(stranger);
  await call(stranger, 'POST', {});
  const second = await signIn();
  const borrowed = await second.mfa.challengeAndVerify({ factorId: theirs.factorId, code: codes[0]! });
  expect(borrowed.error?.code).toBe('mfa_verification_failed');

  email = `person-${people}@codes.example`;
  const lost = await signIn();
  const outcomes: (string | undefined)[] = [];
  for (let guess = 0; guess < 7; guess += 1) {
    const code = `0000-0000-0000-0000-0000-000${guess}`;
    outcomes.push((await lost.mfa.challengeAndVerify({ ...app, code })).error?.code);
  }
  expect(outcomes).toEqual([...Array(6).fill('mfa_verification_failed'), 'over_request_rate_limit']);
  const right = await lost.mfa.challengeAndVerify({ ...app, code: codes[0]! });
  expect(right.error?.code).toBe('over_request_rate_limit');
});
