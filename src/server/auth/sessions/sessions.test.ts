import { createHash } from 'node:crypto';
import { decodeJwt } from 'jose';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { authApi } from '#domain/auth/contract.ts';
import { createUser } from '#server/accounts/create-user.ts';
import {
  password,
  readWorkMs,
  setUpAccountsServer,
} from '#server/test-support/accounts-server.test-support.ts';

let people = 0;
let email: string;

const server = setUpAccountsServer();
beforeEach(async () => {
  people += 1;
  email = `person-${people}@session.example`;
  await server.addPerson(email);
});

const signIn = () => server.signIn(email);

async function refresh(token: string) {
  const response = await server.post('/auth/v1/token?grant_type=refresh_token', { refresh_token: token });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

/** Backdates a token's first use, so that a second use is not mistaken for a tab that refreshes simultaneously. */
const ageUse = (token: string) =>
  server.db
    .updateTable('refreshTokens')
    .set({ usedAt: new Date(Date.now() - 11_000).toISOString() })
    .where('tokenHash', '=', createHash('sha256').update(token).digest())
    .execute();

describe('signing in', () => {
  test('returns the session in the format that auth-js stores', async () => {
    const began = Math.floor(Date.now() / 1000);
    const { session } = await signIn();
    expect(Object.keys(session).sort()).toEqual([
      'access_token',
      'expires_at',
      'expires_in',
      'refresh_token',
      'token_type',
      'user',
    ]);
    expect(session).toMatchObject({ token_type: 'bearer', expires_in: 3600 });
    expect(session.expires_at).toBeGreaterThanOrEqual(began + 3600);
    expect(session.expires_at).toBeLessThanOrEqual(Date.now() / 1000 + 3601);
    expect(session.user).toMatchObject({
      aud: 'authenticated',
      role: 'authenticated',
      email,
      user_metadata: { full_name: 'Kim Vale' },
      app_metadata: { provider: 'email' },
    });
  });

  test('accepts an email address in capitals', async () => {
    const { error } = await server
      .client()
      .signInWithPassword({ email: ` ${email.toUpperCase()}`, password });
    expect(error).toBeNull();
  });

  test('responds identically to wrong passwords and unknown email addresses [AUTH-9] [AUTH-13]', async () => {
    const pairs = [
      { email, password: 'not-the-password' },
      { email: 'nobody@session.example', password },
    ];
    const answers = new Set<string>();
    const workMs = [Infinity, Infinity];
    for (let round = 0; round < 6; round += 1) {
      for (const [index, pair] of pairs.entries()) {
        const before = readWorkMs();
        const response = await server.post('/auth/v1/token?grant_type=password', pair);
        workMs[index] = Math.min(workMs[index]!, readWorkMs() - before);
        answers.add(`${response.status} ${await response.text()}`);
      }
    }
    expect(answers.size).toBe(1);
    // The server runs in this process, and its CPU time, unlike elapsed time, does not depend on other load. Without
    // password hashing, the unknown address would take only a small part of that time.
    expect(workMs[1]).toBeGreaterThan(workMs[0]! * 0.6);
    const { error } = await server.client().signInWithPassword({ email, password: 'not-the-password' });
    expect(error).toMatchObject({
      name: 'AuthApiError',
      status: 400,
      code: 'invalid_credentials',
      message: 'Invalid login credentials',
    });
  });

  test('reveals that an address is unconfirmed only if the password is correct', async () => {
    const waiting = 'waiting@session.example';
    const fullName = 'Ray';
    await createUser({ db: server.db, email: waiting, password, fullName, roles: [], isConfirmed: false });
    const wrong = await server.client().signInWithPassword({ email: waiting, password: 'a-wrong-guess' });
    expect(wrong.error?.code).toBe('invalid_credentials');
    const right = await server.client().signInWithPassword({ email: waiting, password });
    expect(right.error?.code).toBe('email_not_confirmed');
  });

  test('stores no password or token in clear text', async () => {
    const { session } = await signIn();
    const user = await server.db
      .selectFrom('users')
      .selectAll()
      .where('email', '=', email)
      .executeTakeFirst();
    expect(user?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    const tokens = await server.db.selectFrom('refreshTokens').select('tokenHash').execute();
    expect(tokens.some(({ tokenHash }) => tokenHash.toString() === session.refresh_token)).toBe(false);
  });
});

describe('refreshing', () => {
  test('exchanges a refresh token for the next one', async () => {
    const { client, session } = await signIn();
    const { data, error } = await client.refreshSession();
    expect(error).toBeNull();
    expect(data.session?.refresh_token).not.toBe(session.refresh_token);
    expect((await server.getProfile(data.session!.access_token)).status).toBe(200);
    const next = await refresh(data.session!.refresh_token);
    expect(next.status).toBe(200);
    expect(next.body.refresh_token).not.toBe(data.session!.refresh_token);
  });

  test('ends the whole session when an old token is used again [AUTH-12a]', async () => {
    const { session } = await signIn();
    const bystander = await signIn();
    const second = await refresh(session.refresh_token);
    const third = await refresh(second.body.refresh_token!);
    await ageUse(session.refresh_token);

    const reuse = await refresh(session.refresh_token);
    expect(reuse.status).toBe(400);
    expect(reuse.body).toMatchObject({ error_code: 'refresh_token_already_used' });
    expect((await refresh(third.body.refresh_token!)).status).toBe(400);
    expect((await server.getProfile(third.body.access_token!)).status).toBe(401);
    expect((await server.getProfile(bystander.session.access_token)).status).toBe(200);
  });

  test('keeps all tabs signed in when they refresh at the same moment [AUTH-12a]', async () => {
    const { session } = await signIn();
    const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(session.refresh_token)));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1);
    const next = await refresh(answers[0]!.body.refresh_token!);
    const straggler = await refresh(session.refresh_token);
    expect(straggler.body.refresh_token).toBe(next.body.refresh_token);
    for (const { body } of [...answers, straggler]) {
      expect((await server.getProfile(body.access_token!)).status).toBe(200);
    }
  });

  test('refuses an unknown token with the error code that makes auth-js sign out', async () => {
    const { client } = await signIn();
    const { error } = await client.refreshSession({ refresh_token: 'unknown' });
    expect(error).toMatchObject({ status: 400, code: 'refresh_token_not_found' });
  });
});

describe('a session', () => {
  test('expires after 30 days without use and always after 180 days', async () => {
    for (const [column, days, isOver] of [
      ['refreshedAt', 29, false],
      ['refreshedAt', 31, true],
      ['createdAt', 179, false],
      ['createdAt', 181, true],
    ] as const) {
      const { session } = await signIn();
      const then = new Date(Date.now() - days * 86_400_000).toISOString();
      await server.db
        .updateTable('sessions')
        .set({ [column]: then })
        .where('sessionId', '=', String(decodeJwt(session.access_token).session_id))
        .execute();
      const { status, body } = await refresh(session.refresh_token);
      expect(status, `${column} ${days} days ago`).toBe(isOver ? 400 : 200);
      if (isOver) expect(body.code).toBe('refresh_token_not_found');
    }
  });

  test('ends when the password changes, even while a thief keeps signing in', async () => {
    const { client } = await signIn();
    const tokens: string[] = [];
    let isOver = false;
    const thief = async () => {
      while (!isOver) {
        const answer = await server.post(
          '/auth/v1/token?grant_type=password',
          { email, password },
          { 'x-forwarded-for': '192.0.2.99' },
        );
        if (answer.status !== 200) return;
        tokens.push(((await answer.json()) as { access_token: string }).access_token);
      }
    };
    const thieves = Array.from({ length: 6 }, thief);
    await expect.poll(() => tokens.length).toBeGreaterThan(3);
    expect(
      (await client.updateUser({ password: 'quite-another-flag', current_password: password })).error,
    ).toBeNull();
    await Promise.all(thieves);
    isOver = true;
    const answers = await Promise.all(tokens.map((token) => server.getProfile(token)));
    expect(answers.filter(({ status }) => status === 200)).toEqual([]);
  });
});

describe('signing out or deleting an account', () => {
  test('ends access immediately, before the access token expires', async () => {
    const { client, session } = await signIn();
    const elsewhere = await signIn();
    expect((await server.getProfile(session.access_token)).status).toBe(200);
    expect((await client.signOut({ scope: 'local' })).error).toBeNull();
    expect((await server.getProfile(session.access_token)).status).toBe(401);
    expect((await refresh(session.refresh_token)).status).toBe(400);
    expect((await client.getSession()).data.session).toBeNull();
    expect((await server.getProfile(elsewhere.session.access_token)).status).toBe(200);
  });

  test("ends all of the person's sessions and nobody else's [AUTH-12b]", async () => {
    const [one, two] = [await signIn(), await signIn()];
    const other = 'other-person@session.example';
    await createUser({
      db: server.db,
      email: other,
      password,
      fullName: 'Lee',
      roles: [],
      isConfirmed: true,
    });
    const { data: stranger } = await server.client().signInWithPassword({ email: other, password });
    await one.client.signOut();
    for (const { session } of [one, two]) {
      expect((await server.getProfile(session.access_token)).status).toBe(401);
      expect((await refresh(session.refresh_token)).status).toBe(400);
    }
    expect((await server.getProfile(stranger.session!.access_token)).status).toBe(200);
  });

  test('ends only other sessions for scope "others" and refuses unknown scopes', async () => {
    const [one, two] = [await signIn(), await signIn()];
    const authorization = `Bearer ${one.session.access_token}`;
    const wrong = await server.post('/auth/v1/logout?scope=everyone', {}, { authorization });
    expect(wrong.status).toBe(400);
    expect((await server.getProfile(two.session.access_token)).status).toBe(200);
    await one.client.signOut({ scope: 'others' });
    expect((await server.getProfile(one.session.access_token)).status).toBe(200);
    expect((await server.getProfile(two.session.access_token)).status).toBe(401);
  });

  test('ends access when the account is deleted', async () => {
    const { session } = await signIn();
    await server.db.deleteFrom('profiles').where('userId', '=', session.user.id).execute();
    await server.db.deleteFrom('users').where('userId', '=', session.user.id).execute();
    expect((await server.getProfile(session.access_token)).status).toBe(401);
  });
});

describe('the list of sessions', () => {
  const list = async (token: string) => (await server.call(token, authApi.listSessions, {})).body.sessions;
  const end = async (token: string, sessionId: string) =>
    (await server.call(token, authApi.endSession, { sessionId })).status;

  test('shows every signed-in browser and lets the person end one or all others [AUTH-12b]', async () => {
    const [phone, laptop, here] = [await signIn(), await signIn(), await signIn()];
    const gone = await signIn();
    await gone.client.signOut({ scope: 'local' });
    const userAgent =
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Mobile/15E148 Safari/604.1';
    const idOf = (token: string) => decodeJwt<{ session_id: string }>(token).session_id;
    const phoneId = idOf(phone.session.access_token);
    await server.db.updateTable('sessions').set({ userAgent }).where('sessionId', '=', phoneId).execute();

    const token = here.session.access_token;
    const sessions = await list(token);
    expect(sessions).toHaveLength(3);
    expect(sessions[0]).toMatchObject({ sessionId: idOf(token), isCurrent: true, isCodeAwaited: false });
    expect(sessions.filter(({ isCurrent }) => isCurrent)).toHaveLength(1);
    const listed = sessions.find(({ sessionId }) => sessionId === phoneId)!;
    expect(listed.device).toBe('Safari on an iPhone');
    expect(Date.parse(listed.lastSeenAt)).toBeGreaterThanOrEqual(Date.parse(listed.signedInAt));

    expect(await end(token, phoneId)).toBe(200);
    expect((await server.getProfile(phone.session.access_token)).status).toBe(401);
    expect((await refresh(phone.session.refresh_token)).status).toBe(400);
    expect(await end(token, phoneId), 'the phone is already signed out').toBe(404);
    expect((await server.getProfile(laptop.session.access_token)).status).toBe(200);

    expect((await here.client.signOut({ scope: 'others' })).error).toBeNull();
    expect((await server.getProfile(laptop.session.access_token)).status).toBe(401);
    expect((await list(token)).map(({ isCurrent }) => isCurrent)).toEqual([true]);
  });

  test("neither shows nor ends other people's sessions", async () => {
    const own = await signIn();
    people += 1;
    const stranger = `person-${people}@session.example`;
    await server.addPerson(stranger, { fullName: 'Lee' });
    const { data } = await server.client().signInWithPassword({ email: stranger, password });
    const [foreign] = await list(data.session!.access_token);
    expect((await list(own.session.access_token)).map(({ sessionId }) => sessionId)).not.toContain(
      foreign!.sessionId,
    );
    expect(await end(own.session.access_token, foreign!.sessionId)).toBe(404);
    expect((await server.getProfile(data.session!.access_token)).status).toBe(200);
  });
});

test('changes the name in the account and the profile, and notifies auth-js listeners', async () => {
  const { client } = await signIn();
  const events: string[] = [];
  client.onAuthStateChange((event) => void events.push(event));
  const { data, error } = await client.updateUser({ data: { full_name: 'Kim Vale-Ross' } });
  expect(error).toBeNull();
  expect(data.user?.user_metadata.full_name).toBe('Kim Vale-Ross');
  expect(events).toContain('USER_UPDATED');
  const token = (await client.getSession()).data.session!.access_token;
  const profile = (await server.getProfile(token)).body.profile!;
  expect(profile.fullName).toBe('Kim Vale-Ross');
});

test('asks auth-js to retry while the database is locked', async () => {
  const { client, session } = await signIn();
  await server.db.transaction().execute(async (tx) => {
    await sql`lock table refresh_tokens in access exclusive mode`.execute(tx);
    const response = await server.post('/auth/v1/token?grant_type=refresh_token', {
      refresh_token: session.refresh_token,
    });
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('1');
    expect(await response.text()).not.toContain('lock');
  });
  const { data, error } = await client.refreshSession();
  expect(error).toBeNull();
  expect(data.session?.user.email).toBe(email);
});
