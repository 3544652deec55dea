import { beforeEach, expect, test } from 'vitest';
import { authApi } from '#domain/auth/contract.ts';
import { defaultBrand } from '#domain/default-brand.ts';
import { password, setUpAccountsServer } from '#server/test-support/accounts-server.test-support.ts';
import { enrol, nextCodeOf, wrongCodeOf } from '#server/test-support/authenticator.test-support.ts';

let people = 0;
let email: string;

const server = setUpAccountsServer();
beforeEach(async () => {
  await server.db.deleteFrom('rateLimits').execute();
  people += 1;
  email = `person-${people}@codes.example`;
  await server.addPerson(email);
});

const signIn = async () => (await server.signIn(email)).client;

type Client = Awaited<ReturnType<typeof signIn>>;
const tokenOf = async (client: Client) => (await client.getSession()).data.session!.access_token;
const read = async (client: Client) => server.call(await tokenOf(client), authApi.getRecoveryCodes, {});
const make = async (client: Client, proof: { code?: string } = {}) =>
  server.call(await tokenOf(client), authApi.makeRecoveryCodes, proof);

test('creates ten codes that each work once, and emails the owner when one is used [AUTH-11e]', async () => {
  const client = await signIn();
  expect(await make(client)).toMatchObject({ status: 409 });
  const { factorId } = await enrol(client);
  await server.emailAbout(email, new RegExp(`^Two-step sign-in on ${defaultBrand} was switched on`));
  expect((await read(client)).body).toMatchObject({ left: 0, madeAt: null });
  const { codes } = (await make(client)).body;
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){5}$/);
  const notice = await server.emailAbout(email, new RegExp(`^Recovery codes for ${defaultBrand}`));
  for (const code of codes) expect(notice.text).not.toContain(code);
  const stored = JSON.stringify(await server.db.selectFrom('recoveryCodes').selectAll().execute());
  for (const code of codes) expect(stored).not.toContain(code.replaceAll('-', ''));
  expect((await read(client)).body).toMatchObject({ left: 10 });

  const lost = await signIn();
  expect((await read(lost)).error?.code).toBe('second_step_required');
  const events: string[] = [];
  lost.onAuthStateChange((event) => void events.push(event));
  // The code as a person might copy it: with capitals, with spaces, and with the letter O for zero.
  const typed = ` ${codes[0]!.toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O')}`;
  expect((await lost.mfa.challengeAndVerify({ factorId, code: typed })).error).toBeNull();
  expect(events).toContain('MFA_CHALLENGE_VERIFIED');
  expect((await read(lost)).body).toMatchObject({ left: 9 });
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

test('replaces recovery codes and deletes them when two-step sign-in is switched off', async () => {
  const client = await signIn();
  const { factorId, secret } = await enrol(client);
  const { codes: old } = (await make(client)).body;
  expect((await make(client)).status, 'only the first codes need no app code').toBe(422);
  expect((await make(client, { code: wrongCodeOf(secret) })).status).toBe(422);
  const fresh = (await make(client, { code: nextCodeOf(secret) })).body;
  expect(fresh.codes).toHaveLength(10);
  await server.emailAbout(email, new RegExp(`^New recovery codes for ${defaultBrand}`));

  const lost = await signIn();
  expect((await lost.mfa.challengeAndVerify({ factorId, code: old[0]! })).error?.status).toBe(422);
  expect((await lost.mfa.challengeAndVerify({ factorId, code: fresh.codes[0]! })).error).toBeNull();
  expect((await lost.mfa.unenroll({ factorId })).error).toBeNull();
  await server.emailAbout(email, /was switched off$/);
  expect((await read(await signIn())).body.left).toBe(0);
});

test('asks for the password again before changing two-step sign-in in an old session', async () => {
  const client = await signIn();
  const { factorId } = await enrol(client);
  const confirmedAt = new Date(Date.now() - 16 * 60_000).toISOString();
  await server.db.updateTable('sessions').set({ confirmedAt }).execute();
  expect((await client.mfa.unenroll({ factorId })).error?.code).toBe('reauthentication_needed');
  expect((await make(client)).error?.code).toBe('confirmation_required');
  expect((await client.updateUser({ current_password: password })).error).toBeNull();
  expect((await make(client)).status).toBe(200);
  expect((await client.mfa.unenroll({ factorId })).error).toBeNull();
  await server.db.updateTable('sessions').set({ confirmedAt }).execute();
  expect((await client.mfa.enroll({ factorType: 'totp' })).error?.code).toBe('reauthentication_needed');
});

test("limits guesses of recovery codes and refuses another person's code [AUTH-13]", async () => {
  const client = await signIn();
  const app = await enrol(client);
  const { codes } = (await make(client)).body;

  email = `stranger-${people}@codes.example`;
  await server.addPerson(email, { fullName: 'Lee' });
  const stranger = await signIn();
  const own = await stranger.mfa.enroll({ factorType: 'totp' });
  const early = await stranger.mfa.challengeAndVerify({ factorId: own.data!.id, code: codes[0]! });
  expect(early.error?.code).toBe('mfa_verification_failed');
  const theirs = await enrol(stranger);
  await make(stranger);
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
