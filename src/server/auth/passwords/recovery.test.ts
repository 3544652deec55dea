import { createHash } from 'node:crypto';
import { decodeJwt } from 'jose';
import { beforeEach, describe, expect, test } from 'vitest';
import { createUser } from '#server/accounts/create-user.ts';
import { password, setUpAccountsServer } from '#server/test-support/accounts-server.test-support.ts';

const newPassword = 'purple-touch-line';
let people = 0;
let email: string;

const server = setUpAccountsServer({
  limits: {
    recoveriesPerAddress: { calls: 8, seconds: 600 },
    emailsPerAccount: { calls: 6, seconds: 600 },
  },
});
beforeEach(async () => {
  await server.db.deleteFrom('rateLimits').execute();
  people += 1;
  email = `person-${people}@recovery.example`;
  await server.addPerson(email);
});

const ask = (address: string, ipAddress = '192.0.2.1') =>
  server.post('/auth/v1/recover', { email: address }, { 'x-forwarded-for': ipAddress });
const signIn = (secret: string) => server.client().signInWithPassword({ email, password: secret });
/** Requests a recovery link as the screen does and returns the link from the email. */
async function readLink(emails = 1): Promise<string> {
  const redirectTo = `${server.publicUrl}/reset-password`;
  const { error } = await server.client().resetPasswordForEmail(email, { redirectTo });
  expect(error).toBeNull();
  return server.linkIn(await server.lastOfEmails(email, emails));
}

async function enter(link: string) {
  const { access_token, refresh_token } = await server.followLink(link);
  const client = server.client();
  expect((await client.setSession({ access_token, refresh_token })).error).toBeNull();
  return { client, token: access_token };
}

const changeSession = (token: string, change: { confirmedAt: string }) =>
  server.db
    .updateTable('sessions')
    .set(change)
    .where('sessionId', '=', decodeJwt<{ session_id: string }>(token).session_id)
    .execute();

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

describe('a forgotten password', () => {
  test('is replaced through an emailed link, and every other session ends [AUTH-11c]', async () => {
    const elsewhere = await signIn(password);
    const link = await readLink();
    const opened = await server.followLink(link);
    expect(opened).toMatchObject({ page: '/reset-password', token_type: 'bearer', expires_in: 3600 });
    expect(decodeJwt(opened.access_token)).toMatchObject({ amr: [{ method: 'recovery' }] });

    const client = server.client();
    const events: string[] = [];
    client.onAuthStateChange((event) => void events.push(event));
    await client.setSession(opened);
    const weak = await client.updateUser({ password: '1234567' });
    expect(weak.error).toMatchObject({ status: 422, code: 'weak_password', reasons: ['length'] });
    expect((await client.updateUser({ password: newPassword })).error).toBeNull();
    expect(events).toContain('USER_UPDATED');

    const token = (await client.getSession()).data.session!.access_token;
    expect((await server.getProfile(token)).status).toBe(200);
    expect((await server.getProfile(elsewhere.data.session!.access_token)).status).toBe(401);
    expect((await signIn(password)).error?.code).toBe('invalid_credentials');
    expect((await signIn(newPassword)).error).toBeNull();
    expect((await server.lastOfEmails(email, 2)).subject).toContain('was changed');
  });

  test('makes auth-js emit PASSWORD_RECOVERY when the link is verified', async () => {
    const token = new URL(await readLink()).searchParams.get('token_hash')!;
    const client = server.client();
    const events: string[] = [];
    client.onAuthStateChange((event) => void events.push(event));
    const { error } = await client.verifyOtp({ token_hash: token, type: 'recovery' });
    expect(error).toBeNull();
    expect(events).toContain('PASSWORD_RECOVERY');
  });

  test('is reset with a link that works once, lasts an hour and is stored hashed', async () => {
    const link = await readLink();
    const token = new URL(link).searchParams.get('token_hash')!;
    const stored = await server.db.selectFrom('oneTimeTokens').selectAll().execute();
    const hash = createHash('sha256').update(token).digest();
    const row = stored.find(({ tokenHash }) => tokenHash.equals(hash))!;
    expect(JSON.stringify(stored)).not.toContain(token);
    const lasts = Date.parse(row.expiresAt) - Date.parse(row.createdAt);
    expect(lasts).toBe(3_600_000);

    expect((await server.followLink(link, 'signup')).code).toBe('otp_expired');
    // An email scanner that opens links does not use up the token.
    const verify = `${server.url}/auth/v1/verify?type=recovery&token=${token}`;
    for (const address of [link, verify]) await fetch(address, { redirect: 'manual' });
    await fetch(verify, { method: 'HEAD', redirect: 'manual' });
    expect((await server.followLink(link)).access_token).toBeTruthy();
    expect(await server.followLink(link)).toMatchObject({
      code: 'otp_expired',
      msg: 'This link has expired or has already been used. Please ask for a new one.',
    });

    const late = await readLink(2);
    await server.db
      .updateTable('oneTimeTokens')
      .set({ expiresAt: minutesAgo(1) })
      .where('usedAt', 'is', null)
      .execute();
    expect((await server.followLink(late)).code).toBe('otp_expired');
  });

  test('cannot be reset with an older link once it has been replaced', async () => {
    const older = await readLink();
    const { client } = await enter(await readLink(2));
    expect((await client.updateUser({ password: newPassword })).error).toBeNull();
    expect((await server.followLink(older)).code).toBe('otp_expired');
  });
});

describe('a new password', () => {
  test('requires the current password each time, even right after signing in', async () => {
    const { data } = await signIn(password);
    const client = server.client();
    await client.setSession(data.session!);
    const elsewhere = await signIn(password);
    const refusals = [
      [{}, 400, 'current_password_required'],
      [{ current_password: 'not-the-password' }, 400, 'current_password_invalid'],
      [{ nonce: '123456' }, 422, 'reauthentication_not_valid'],
      [{ nonce: '' }, 400, 'current_password_required'],
    ] as const;
    for (const [proof, status, code] of refusals) {
      const { error } = await client.updateUser({ password: newPassword, ...proof });
      expect(error, code).toMatchObject({ status, code });
    }
    const same = await client.updateUser({ password, current_password: password });
    expect(same.error).toMatchObject({ status: 422, code: 'same_password' });
    expect((await server.getProfile(elsewhere.data.session!.access_token)).status).toBe(200);
    const change = { password: newPassword, current_password: password };
    expect((await client.updateUser(change)).error).toBeNull();
    expect((await server.getProfile(elsewhere.data.session!.access_token)).status).toBe(401);
    expect((await client.updateUser({ password: 'green-corner-flag' })).error?.code).toBe(
      'current_password_required',
    );
    expect((await signIn(newPassword)).error).toBeNull();
  });

  test('can be set once, within an hour of opening a link, without the current password', async () => {
    const { client, token } = await enter(await readLink());
    await changeSession(token, { confirmedAt: minutesAgo(61) });
    const late = await client.updateUser({ password: newPassword });
    expect(late.error?.code).toBe('current_password_required');
    await changeSession(token, { confirmedAt: minutesAgo(59) });
    expect((await client.updateUser({ password })).error?.code).toBe('same_password');
    expect((await client.updateUser({ password: newPassword })).error).toBeNull();
    const again = await client.updateUser({ password });
    expect(again.error?.code).toBe('current_password_required');
  });
});

describe('requesting a recovery link', () => {
  test("returns the same response for any address but emails only an account's owner [AUTH-13]", async () => {
    const answers = new Set<string>();
    for (const address of [email, 'nobody@recovery.example']) {
      const response = await ask(address);
      answers.add(`${response.status} ${await response.text()}`);
    }
    expect([...answers]).toEqual(['200 {}']);
    await server.lastOfEmails(email, 1);
    expect(await server.emailsTo('nobody@recovery.example')).toEqual([]);
  });

  test('is limited per account and per IP address [AUTH-13]', async () => {
    for (const address of [email, 'nobody@recovery.example']) {
      const statuses: number[] = [];
      for (let index = 0; index < 7; index += 1) {
        statuses.push((await ask(address, `192.0.2.${index}`)).status);
      }
      expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429]);
    }
    await server.db.deleteFrom('rateLimits').execute();
    const statuses: number[] = [];
    for (let other = 0; other < 9; other += 1) {
      statuses.push((await ask(`nobody-${other}@recovery.example`)).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 200, 200, 429]);
  });

  test("lets the owner confirm the address, which voids a stranger's password", async () => {
    const waiting = 'waiting@recovery.example';
    const person = { email: waiting, password: 'the-strangers-password', fullName: 'Ray', roles: [] };
    await createUser({ db: server.db, ...person, isConfirmed: false });
    await ask(waiting);
    const owner = server.client();
    const link = new URL(server.linkIn(await server.lastOfEmails(waiting, 1)));
    const opened = await owner.verifyOtp({
      type: 'recovery',
      token_hash: link.searchParams.get('token_hash')!,
    });
    expect(opened.data.user?.email_confirmed_at).toBeTruthy();
    const stranger = await server
      .client()
      .signInWithPassword({ email: waiting, password: 'the-strangers-password' });
    expect(stranger.error?.code).toBe('invalid_credentials');
    expect((await owner.updateUser({ password })).error).toBeNull();
    const again = await server.client().signInWithPassword({ email: waiting, password });
    expect(again.error).toBeNull();
  });
});
