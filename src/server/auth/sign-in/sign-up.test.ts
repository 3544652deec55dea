import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { defaultBrand } from '#domain/default-brand.ts';
import {
  password,
  readWorkMs,
  setUpAccountsServer,
} from '#server/test-support/accounts-server.test-support.ts';

const server = setUpAccountsServer({ limits: { signUpsPerAddress: { calls: 1000, seconds: 60 } } });

async function signUp(email: string, fullName = 'Sam Field', chosen = password) {
  return server.client().signUp({
    email,
    password: chosen,
    options: { data: { full_name: fullName }, emailRedirectTo: `${server.publicUrl}/` },
  });
}

describe('signing up', () => {
  test('emails a link that confirms the address, signs in and opens the root page [AUTH-11a]', async () => {
    const email = 'sam@sign-up.example';
    const { data, error } = await signUp('  Sam@Sign-Up.Example ');
    expect(error).toBeNull();
    expect(data.session).toBeNull();
    expect(data.user?.email).toBe(email);

    const client = server.client();
    const tooEarly = await client.signInWithPassword({ email, password });
    expect(tooEarly.error).toMatchObject({ status: 400, code: 'email_not_confirmed' });

    const received = await server.lastOfEmails(email, 1);
    expect(received.text).not.toContain('Sam Field');
    const opened = await server.followLink(server.linkIn(received));
    expect(opened).toMatchObject({ status: 200, page: '/', token_type: 'bearer', expires_in: 3600 });
    const { data: set } = await client.setSession(opened);
    expect(set.user).toMatchObject({ email, user_metadata: { full_name: 'Sam Field' } });
    expect(set.user?.email_confirmed_at).toBeTruthy();
  });

  test('verifies nothing when an email scanner opens the link first [AUTH-11a]', async () => {
    const email = 'scanned@sign-up.example';
    await signUp(email);
    const link = server.linkIn(await server.lastOfEmails(email, 1));
    const query = new URL(link).search.replace('link=', 'type=');
    const opened = [link, `${server.url}/auth/v1/verify${query}`];
    for (const address of opened.flatMap((each) => [each, each])) {
      for (const method of ['HEAD', 'GET']) await fetch(address, { method, redirect: 'manual' });
    }
    const redirect = await fetch(opened[1]!, { redirect: 'manual' });
    expect(redirect.headers.get('location')).toBe(link.replace(server.url, server.publicUrl));
    const tooEarly = await server.client().signInWithPassword({ email, password });
    expect(tooEarly.error?.code).toBe('email_not_confirmed');
    expect((await server.followLink(link)).status).toBe(200);
  });

  test('reports the address as already verified when a link is used again', async () => {
    const email = 'once@sign-up.example';
    await signUp(email);
    await signUp(email);
    await server.lastOfEmails(email, 2);
    const links = (await server.emailsTo(email)).map(server.linkIn);
    expect((await server.followLink(links[0]!)).access_token).toBeTruthy();
    for (const link of links) {
      expect(await server.followLink(link)).toMatchObject({
        status: 422,
        code: 'user_already_exists',
        msg: 'Your email address is already verified. Please sign in.',
      });
    }
  });

  test('refuses a link that is expired, forged or of another type', async () => {
    const email = 'late@sign-up.example';
    await signUp(email);
    const link = server.linkIn(await server.lastOfEmails(email, 1));
    expect((await server.followLink(link, 'recovery')).code).toBe('otp_expired');
    const forged = link.replace(/token_hash=[\w-]+/, 'token_hash=guess');
    expect((await server.followLink(forged)).code).toBe('otp_expired');
    await server.db
      .updateTable('oneTimeTokens')
      .set({ expiresAt: new Date(Date.now() - 1000).toISOString() })
      .execute();
    expect((await server.followLink(link)).code).toBe('otp_expired');
  });

  test('never redirects from a sign-up link to another site', async () => {
    const email = 'lured@sign-up.example';
    await server.client().signUp({ email, password, options: { emailRedirectTo: 'https://evil.example/' } });
    const link = server.linkIn(await server.lastOfEmails(email, 1));
    expect(new URL(link).searchParams.get('next')).toBeNull();
    const lured = `${server.url}/auth/v1/verify?type=signup&token=x&redirect_to=`;
    for (const target of ['//evil.example', 'https://evil.example/login', 'javascript:alert(1)']) {
      const { headers } = await fetch(lured + encodeURIComponent(target), { redirect: 'manual' });
      const expected = `${server.publicUrl}/verify?link=signup&token_hash=x`;
      expect(headers.get('location'), target).toBe(expected);
    }
  });

  test('resends, on request, a link that verifyOtp accepts [AUTH-11b]', async () => {
    const email = 'again@sign-up.example';
    await signUp(email);
    await server.lastOfEmails(email, 1);
    const client = server.client();
    expect((await client.resend({ type: 'signup', email })).error).toBeNull();
    const link = new URL(server.linkIn(await server.lastOfEmails(email, 2)));
    const { data, error } = await client.verifyOtp({
      type: 'signup',
      token_hash: link.searchParams.get('token_hash')!,
    });
    expect(error).toBeNull();
    expect(data.session?.user.email).toBe(email);
  });

  test('voids every password when a stranger has also signed up with the address', async () => {
    const email = 'wanted@sign-up.example';
    await signUp(email, 'The Owner');
    await signUp(email, 'A Stranger', 'the-strangers-password');
    const link = server.linkIn(await server.lastOfEmails(email, 2));
    const opened = await server.followLink(link);
    expect(decodeJwt(opened.access_token)).toMatchObject({ amr: [{ method: 'recovery' }] });
    const client = server.client();
    for (const tried of [password, 'the-strangers-password']) {
      const { error } = await client.signInWithPassword({ email, password: tried });
      expect(error?.code).toBe('invalid_credentials');
    }
    await client.setSession(opened);
    expect((await client.updateUser({ password: 'chosen-by-the-owner' })).error).toBeNull();
    const owner = await client.signInWithPassword({ email, password: 'chosen-by-the-owner' });
    expect(owner.error).toBeNull();
  });

  test("does not accept a stranger's password after the link is resent", async () => {
    const email = 'sent-again@sign-up.example';
    await signUp(email, 'The Owner');
    await signUp(email, 'A Stranger', 'the-strangers-password');
    await server.client().resend({ type: 'signup', email });
    await server.followLink(server.linkIn(await server.lastOfEmails(email, 3)));
    const { error } = await server.client().signInWithPassword({ email, password: 'the-strangers-password' });
    expect(error?.code).toBe('invalid_credentials');
  });

  test('refuses a password under 8 characters with the error code and the reason [AUTH-9]', async () => {
    const { error } = await signUp('weak@sign-up.example', 'Kim', '1234567');
    expect(error).toMatchObject({
      name: 'AuthWeakPasswordError',
      status: 422,
      message: 'Choose a password of at least 8 characters.',
      reasons: ['length'],
    });
    expect(await server.emailsTo('weak@sign-up.example')).toEqual([]);
  });

  test('refuses guessable passwords with the error code and the reason', async () => {
    const tries: [string, string][] = [
      ['liverpool2026', 'pwned'],
      ['qwertyuiop', 'pwned'],
      ['zyxwvutsrqp', 'characters'],
      ['Sam.Field-99', 'characters'],
      [`${defaultBrand.toLowerCase()}1`, 'characters'],
      ['weak@sign-up.example', 'characters'],
    ];
    for (const [chosen, reason] of tries) {
      const { error } = await signUp('weak@sign-up.example', 'Sam Field', chosen);
      expect(error, chosen).toMatchObject({ name: 'AuthWeakPasswordError', status: 422, reasons: [reason] });
      expect(error?.message).toMatch(/^This password .*\. Choose another password/);
    }
    expect(await server.emailsTo('weak@sign-up.example')).toEqual([]);
  });

  test('does not reveal whether an address is registered [AUTH-13]', async () => {
    const email = 'known@sign-up.example';
    const first = await signUp(email);
    await server.followLink(server.linkIn(await server.lastOfEmails(email, 1)));
    const second = await signUp(email, 'Sam Field', 'another-password');
    const stranger = await signUp('unknown@sign-up.example');
    const shapeOf = ({ data, error }: typeof first) => ({
      error,
      session: data.session,
      user: { ...data.user, id: 'id', email: 'email', confirmation_sent_at: 0, created_at: 0, updated_at: 0 },
    });
    expect(shapeOf(second)).toEqual(shapeOf(first));
    expect(shapeOf(stranger)).toEqual(shapeOf(first));
    expect(second.data.user?.id).not.toBe(first.data.user?.id);

    const notice = await server.lastOfEmails(email, 2);
    expect(notice.subject).toBe(`You already have a ${defaultBrand} account`);
    const client = server.client();
    expect((await client.signInWithPassword({ email, password })).error).toBeNull();

    const resent = await Promise.all(
      [email, 'nobody@sign-up.example'].map(async (address) => {
        const response = await server.post('/auth/v1/resend', { type: 'signup', email: address });
        return [response.status, await response.text()];
      }),
    );
    expect(resent[0]).toEqual(resent[1]);
  });

  test('takes as long for a known address as for a new address [AUTH-13]', async () => {
    const email = 'timed@sign-up.example';
    await signUp(email);
    await server.followLink(server.linkIn(await server.lastOfEmails(email, 1)));
    await server.db.deleteFrom('rateLimits').execute();
    const workMs = { known: Infinity, fresh: Infinity };
    for (let round = 0; round < 6; round += 1) {
      for (const [kind, address] of [
        ['known', email],
        ['fresh', `timed-${round}@sign-up.example`],
      ] as const) {
        const before = readWorkMs();
        await signUp(address);
        workMs[kind] = Math.min(workMs[kind], readWorkMs() - before);
      }
    }
    // The server runs in this process, and its CPU time does not depend on other load. Password hashing takes most of
    // that time, so a skipped hash would be noticed.
    expect(workMs.known).toBeGreaterThan(workMs.fresh * 0.6);
    expect(workMs.fresh).toBeGreaterThan(workMs.known * 0.6);
  });

  test('creates one account for two simultaneous sign-ups', async () => {
    const email = 'twice@sign-up.example';
    const answers = await Promise.all([signUp(email), signUp(email)]);
    expect(answers.map(({ error }) => error)).toEqual([null, null]);
    const rows = await server.db.selectFrom('users').select('userId').where('email', '=', email).execute();
    expect(rows).toHaveLength(1);
  });
});

describe('the sign-up endpoint', () => {
  const cases: [string, unknown, number, string][] = [
    ['malformed JSON', '{"email":', 400, 'bad_json'],
    ['a list', '[]', 400, 'bad_json'],
    ['an empty body', '', 400, 'bad_json'],
    ['a missing email address', { password }, 400, 'validation_failed'],
    ['an email address of the wrong type', { email: 7, password }, 400, 'validation_failed'],
    ['an invalid email address', { email: 'sam at example', password }, 400, 'validation_failed'],
    ['a password of the wrong type', { email: 'a@bad.example', password: {} }, 400, 'validation_failed'],
    [
      'a name with a NUL character',
      { email: 'a@bad.example', password, data: { full_name: 'a\u0000b' } },
      400,
      'validation_failed',
    ],
    [
      'a name that is too long',
      { email: 'a@bad.example', password, data: { full_name: 'x'.repeat(201) } },
      400,
      'validation_failed',
    ],
    ['a huge body', { email: 'a@bad.example', password: 'x'.repeat(70_000) }, 413, 'validation_failed'],
  ];
  test.each(cases)('refuses %s', async (_title, body, status, code) => {
    const response = await server.post('/auth/v1/signup', body);
    expect(response.status).toBe(status);
    const answer = (await response.json()) as { code: string; error_code: string; msg: string };
    expect(answer).toMatchObject({ code, error_code: code });
    expect(answer.msg).toMatch(/^[A-Z].*\.$/);
    expect(Object.keys(answer).sort()).toEqual(['code', 'error_code', 'msg']);
  });

  test('refuses content types other than JSON, unknown URLs and wrong methods', async () => {
    const form = await server.post('/auth/v1/signup', 'email=a', { 'content-type': 'text/plain' });
    expect(form.status).toBe(415);
    expect((await server.post('/auth/v1/admin/users', {})).status).toBe(404);
    const wrongMethod = await fetch(`${server.url}/auth/v1/signup`);
    expect([wrongMethod.status, wrongMethod.headers.get('allow')]).toEqual([405, 'POST']);
    expect((await server.post('/auth/v1/token?grant_type=pkce', {})).status).toBe(400);
    const rows = await server.db
      .selectFrom('users')
      .select('email')
      .where('email', 'like', '%@bad.example')
      .execute();
    expect(rows).toEqual([]);
  });
});
