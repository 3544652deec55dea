import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AccountsServer, readWorkMs, startAccountsServer } from './accounts-server.test-support.ts';

const password = 'orange-corner-flag';
let server: AccountsServer;
beforeAll(async () => {
  server = await startAccountsServer({ limits: { signUpsPerAddress: { points: 1000, seconds: 60 } } });
});
afterAll(() => server.stop());

async function signUp(email: string, fullName = 'Sam Field', chosen = password) {
  return server.client().signUp({
    email,
    password: chosen,
    options: { data: { full_name: fullName }, emailRedirectTo: `${server.publicUrl}/` },
  });
}

/** Opens a link and answers the address it leads to and what the fragment says. */
async function open(link: string) {
  const response = await fetch(link, { redirect: 'manual' });
  const location = new URL(response.headers.get('location')!);
  const said = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  return { status: response.status, page: location.origin + location.pathname, said };
}

describe('signing up', () => {
  test('[AUTH-11] mails a link to the site root that confirms the address and signs in', async () => {
    const email = 'sam@sign-up.example';
    const { data, error } = await signUp('  Sam@Sign-Up.Example ');
    expect(error).toBeNull();
    expect(data.session).toBeNull();
    expect(data.user?.email).toBe(email);

    const client = server.client();
    const tooEarly = await client.signInWithPassword({ email, password });
    expect(tooEarly.error).toMatchObject({ status: 400, code: 'email_not_confirmed' });

    const mail = await server.lastOfMails(email, 1);
    expect(mail.text).not.toContain('Sam Field');
    const { status, page, said } = await open(server.linkIn(mail));
    expect(status).toBe(303);
    expect(page).toBe(`${server.publicUrl}/`);
    expect(said).toMatchObject({ token_type: 'bearer', expires_in: '3600', type: 'signup' });

    const { data: set } = await client.setSession({
      access_token: said.access_token!,
      refresh_token: said.refresh_token!,
    });
    expect(set.user).toMatchObject({ email, user_metadata: { full_name: 'Sam Field' } });
    expect(set.user?.email_confirmed_at).toBeTruthy();
  });

  test('a link works once; what it says afterwards can be acted on', async () => {
    const email = 'once@sign-up.example';
    await signUp(email);
    const link = server.linkIn(await server.lastOfMails(email, 1));
    await fetch(link, { method: 'HEAD', redirect: 'manual' });
    expect((await open(link)).said.access_token).toBeTruthy();
    const again = await open(link);
    expect(again.page).toBe(`${server.publicUrl}/`);
    expect(again.said).toEqual({
      error: 'access_denied',
      error_code: 'otp_expired',
      error_description: expect.stringContaining('expired or was already used'),
    });
  });

  test('a link that is a day old, forged or of another kind signs nobody in', async () => {
    const email = 'late@sign-up.example';
    await signUp(email);
    const link = server.linkIn(await server.lastOfMails(email, 1));
    expect((await open(link.replace('type=signup', 'type=recovery'))).said.error_code).toBe('otp_expired');
    expect((await open(link.replace(/token=[\w-]+/, 'token=guess'))).said.error_code).toBe('otp_expired');
    await server.db
      .updateTable('oneTimeTokens')
      .set({ expiresAt: new Date(Date.now() - 1000).toISOString() })
      .execute();
    expect((await open(link)).said.error_code).toBe('otp_expired');
  });

  test('a link never leads to a foreign site', async () => {
    const email = 'lured@sign-up.example';
    await server.client().signUp({ email, password, options: { emailRedirectTo: 'https://evil.example/' } });
    const link = server.linkIn(await server.lastOfMails(email, 1));
    expect(new URL(link).searchParams.get('redirect_to')).toBe(`${server.publicUrl}/`);
    const forged = link.replace(/redirect_to=.*/, `redirect_to=${encodeURIComponent('//evil.example')}`);
    expect((await open(forged)).page).toBe(`${server.publicUrl}/`);
  });

  test('[AUTH-11] the link is sent again on request, and verifyOtp takes it too', async () => {
    const email = 'again@sign-up.example';
    await signUp(email);
    await server.lastOfMails(email, 1);
    const client = server.client();
    expect((await client.resend({ type: 'signup', email })).error).toBeNull();
    const link = new URL(server.linkIn(await server.lastOfMails(email, 2)));
    const { data, error } = await client.verifyOtp({
      type: 'signup',
      token_hash: link.searchParams.get('token')!,
    });
    expect(error).toBeNull();
    expect(data.session?.user.email).toBe(email);
  });

  test('where a stranger signed up with the address too, no link hands over a password: its owner chooses one', async () => {
    const email = 'wanted@sign-up.example';
    await signUp(email, 'The Owner');
    await signUp(email, 'A Stranger', 'the-strangers-password');
    const link = server.linkIn(await server.lastOfMails(email, 2));
    const opened = await open(link);
    expect(opened.page).toBe(`${server.publicUrl}/reset-password`);
    expect(opened.said.type).toBe('recovery');
    const client = server.client();
    for (const tried of [password, 'the-strangers-password']) {
      const { error } = await client.signInWithPassword({ email, password: tried });
      expect(error?.code).toBe('invalid_credentials');
    }
    const { access_token, refresh_token } = opened.said as Record<'access_token' | 'refresh_token', string>;
    await client.setSession({ access_token, refresh_token });
    expect((await client.updateUser({ password: 'chosen-by-the-owner' })).error).toBeNull();
    const owner = await client.signInWithPassword({ email, password: 'chosen-by-the-owner' });
    expect(owner.error).toBeNull();
  });

  test('a link that is sent again after a stranger signed up hands over no password either', async () => {
    const email = 'sent-again@sign-up.example';
    await signUp(email, 'The Owner');
    await signUp(email, 'A Stranger', 'the-strangers-password');
    await server.client().resend({ type: 'signup', email });
    await open(server.linkIn(await server.lastOfMails(email, 3)));
    const { error } = await server.client().signInWithPassword({ email, password: 'the-strangers-password' });
    expect(error?.code).toBe('invalid_credentials');
  });

  test('[AUTH-9] a password of fewer than 8 characters is refused by name, with the reason', async () => {
    const { error } = await signUp('weak@sign-up.example', 'Kim', '1234567');
    expect(error).toMatchObject({
      name: 'AuthWeakPasswordError',
      status: 422,
      message: 'Choose a password of at least 8 characters.',
      reasons: ['length'],
    });
    expect(await server.mailsTo('weak@sign-up.example')).toEqual([]);
  });

  test('a password that others would try first is refused by name, with the reason', async () => {
    const tries: [string, string][] = [
      ['liverpool2026', 'pwned'],
      ['qwertyuiop', 'pwned'],
      ['zyxwvutsrqp', 'characters'],
      ['Sam.Field-99', 'characters'],
      ['touchline1', 'characters'],
      ['weak@sign-up.example', 'characters'],
    ];
    for (const [chosen, reason] of tries) {
      const { error } = await signUp('weak@sign-up.example', 'Sam Field', chosen);
      expect(error, chosen).toMatchObject({ name: 'AuthWeakPasswordError', status: 422, reasons: [reason] });
      expect(error?.message).toMatch(/^This password .*\. Choose another one/);
    }
    expect(await server.mailsTo('weak@sign-up.example')).toEqual([]);
  });

  test('[AUTH-13] nothing tells whether an address is registered', async () => {
    const email = 'known@sign-up.example';
    const first = await signUp(email);
    await open(server.linkIn(await server.lastOfMails(email, 1)));
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

    const notice = await server.lastOfMails(email, 2);
    expect(notice.subject).toContain('already have an account');
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

  test('[AUTH-13] signing up with a known address takes as much work as with a new one', async () => {
    const email = 'timed@sign-up.example';
    await signUp(email);
    await open(server.linkIn(await server.lastOfMails(email, 1)));
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
    // The work of this process, which the server runs in, does not depend on what else runs here. A hash is
    // most of it, so one that was skipped would show.
    expect(workMs.known).toBeGreaterThan(workMs.fresh * 0.6);
    expect(workMs.fresh).toBeGreaterThan(workMs.known * 0.6);
  });

  test('two sign-ups of one address at the same moment make one account', async () => {
    const email = 'twice@sign-up.example';
    const answers = await Promise.all([signUp(email), signUp(email)]);
    expect(answers.map(({ error }) => error)).toEqual([null, null]);
    const rows = await server.db.selectFrom('users').select('userId').where('email', '=', email).execute();
    expect(rows).toHaveLength(1);
  });
});

describe('bodies that make no sense', () => {
  const cases: [string, unknown, number, string][] = [
    ['no JSON', '{"email":', 400, 'bad_json'],
    ['a list', '[]', 400, 'bad_json'],
    ['nothing', '', 400, 'bad_json'],
    ['no email', { password }, 400, 'validation_failed'],
    ['an email of another type', { email: 7, password }, 400, 'validation_failed'],
    ['no address', { email: 'sam at example', password }, 400, 'validation_failed'],
    ['a password of another type', { email: 'a@bad.example', password: {} }, 400, 'validation_failed'],
    [
      'a name with a NUL',
      { email: 'a@bad.example', password, data: { full_name: 'a\u0000b' } },
      400,
      'validation_failed',
    ],
    [
      'a name without end',
      { email: 'a@bad.example', password, data: { full_name: 'x'.repeat(201) } },
      400,
      'validation_failed',
    ],
    ['a huge body', { email: 'a@bad.example', password: 'x'.repeat(70_000) }, 413, 'validation_failed'],
  ];
  test.each(cases)('%s', async (_title, body, status, code) => {
    const response = await server.post('/auth/v1/signup', body);
    expect(response.status).toBe(status);
    const answer = (await response.json()) as { code: string; error_code: string; msg: string };
    expect(answer).toMatchObject({ code, error_code: code });
    expect(answer.msg).toMatch(/^[A-Z].*\.$/);
    expect(Object.keys(answer).sort()).toEqual(['code', 'error_code', 'msg']);
  });

  test('another content type and unknown addresses are refused, and nobody was registered', async () => {
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
