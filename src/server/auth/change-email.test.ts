import { decodeJwt } from 'jose';
import { beforeEach, describe, expect, test } from 'vitest';
import { authApi } from '#domain/auth/contract.ts';
import { defaultBrand } from '#domain/default-brand.ts';
import {
  type AccountsServer,
  password,
  setUpAccountsServer,
} from '#server/test-support/accounts-server.test-support.ts';

let people = 0;
let email: string;
let newEmail: string;

const server = setUpAccountsServer({ limits: { emailChangesPerAddress: { calls: 6, seconds: 600 } } });
beforeEach(async () => {
  await server.db.deleteFrom('rateLimits').execute();
  people += 1;
  email = `person-${people}@change.example`;
  newEmail = `moved-${people}@change.example`;
  await addPerson(email);
});

const addPerson = (address: string) => server.addPerson(address);

async function signIn(address = email) {
  const client = server.client();
  const { data, error } = await client.signInWithPassword({ email: address, password });
  return { client, error, token: data.session?.access_token ?? '' };
}

type Client = ReturnType<AccountsServer['client']>;
/** Opens the change link most recently emailed to this address, as the confirmation page does. */
const openLink = async (client: Client, address: string) => {
  const received = await server.emailAbout(address, /^Confirm (the change to your|your new) email/);
  const link = new URL(server.linkIn(received));
  expect(link.pathname).toBe('/email-change');
  return client.verifyOtp({ token_hash: link.searchParams.get('token')!, type: 'email_change' });
};

const readProfileEmail = async (token: string) => (await server.getProfile(token)).body.profile?.email;

describe('a new email address', () => {
  test.each(['old first', 'new first'])(
    'takes effect once it is confirmed from both addresses: %s [AUTH-11d]',
    async (order) => {
      const { client, token } = await signIn();
      const events: string[] = [];
      client.onAuthStateChange((event) => void events.push(event));
      const { data, error } = await client.updateUser({ email: ` ${newEmail.toUpperCase()}` });
      expect(error).toBeNull();
      expect(data.user).toMatchObject({ email, new_email: newEmail });
      expect(data.user?.email_change_sent_at).toBeTruthy();
      expect(events).toContain('USER_UPDATED');
      await client.resetPasswordForEmail(email);
      const reset = server.linkIn(await server.emailAbout(email, /^Choose a new password/));
      expect((await server.emailAbout(newEmail, /^Confirm your new/)).text).not.toContain('Kim Vale');

      const stranger = server.client();
      expect((await server.emailAbout(email, /^Confirm the change/)).text).toContain(newEmail);
      const openOld = () => openLink(stranger, email);
      const openNew = () => openLink(stranger, newEmail);
      const [first, second] = order === 'old first' ? [openOld, openNew] : [openNew, openOld];
      expect((await first()).error).toBeNull();
      expect((await first()).error, 'one link is not enough, even if it is used repeatedly').toBeNull();
      expect((await client.getUser()).data.user).toMatchObject({ email, new_email: newEmail });
      expect(await readProfileEmail(token)).toBe(email);

      const done = await second();
      expect(done.error).toBeNull();
      expect(done.data.session, 'this kind of link does not sign anyone in').toBeNull();
      const after = (await client.getUser()).data.user;
      expect(after?.email).toBe(newEmail);
      expect(after?.new_email).toBeUndefined();
      expect(await readProfileEmail(token)).toBe(newEmail);
      expect((await signIn(newEmail)).error).toBeNull();
      expect((await signIn(email)).error?.code).toBe('invalid_credentials');
      expect((await second()).error?.code).toBe('otp_expired');
      await server.emailAbout(email, new RegExp(`^Your email address on ${defaultBrand} was changed`));
      await server.emailAbout(newEmail, new RegExp(`^Your email address on ${defaultBrand} was changed`));

      // The reset link was sent to the old address, which no longer belongs to the account.
      expect((await server.followLink(reset)).code).toBe('otp_expired');
    },
  );

  test('stays with the account using it, and the response hides that it is taken [AUTH-13]', async () => {
    const taken = `taken-${people}@change.example`;
    await addPerson(taken);
    const { client } = await signIn();
    const shapes: unknown[] = [];
    for (const address of [newEmail, taken]) {
      const { data, error } = await client.updateUser({ email: address });
      const { updated_at: _, email_change_sent_at: sentAt, new_email: newEmail, ...user } = data.user!;
      shapes.push({ error, user, sent: typeof sentAt, isRequested: newEmail === address });
      // Waits for an email: if the next request replaced this change before its job ran, no email would be sent.
      await server.emailAbout(address, /./);
      await server.lastOfEmails(email, shapes.length);
    }
    expect(shapes[1]).toEqual(shapes[0]);

    const notice = await server.emailAbout(taken, new RegExp(`already in use on ${defaultBrand}`));
    expect(notice.text).not.toContain('http');
    expect((await openLink(client, email)).error).toBeNull();
    expect((await client.getUser()).data.user).toMatchObject({ email, new_email: taken });
    expect((await signIn(taken)).error).toBeNull();
    const superseded = new URL(server.linkIn((await server.emailsTo(newEmail))[0]!));
    const token_hash = superseded.searchParams.get('token')!;
    const late = await client.verifyOtp({ token_hash, type: 'email_change' });
    expect(late.error?.code).toBe('otp_expired');
  });

  test('belongs to the first person to confirm it, despite unconfirmed sign-ups', async () => {
    await server.client().signUp({ email: newEmail, password });
    await server.emailAbout(newEmail, /^Confirm your email/);
    const { client } = await signIn();
    await client.updateUser({ email: newEmail });
    await openLink(client, email);
    const link = new URL(server.linkIn(await server.emailAbout(newEmail, /^Confirm your new/)));
    const token_hash = link.searchParams.get('token')!;
    const rival = `rival-${people}@change.example`;
    await addPerson(rival);
    const other = (await signIn(rival)).client;
    await other.updateUser({ email: newEmail });
    await openLink(other, rival);
    await server.lastOfEmails(newEmail, 3);
    expect((await openLink(other, newEmail)).error).toBeNull();
    expect((await signIn(newEmail)).error).toBeNull();
    const late = await client.verifyOtp({ token_hash, type: 'email_change' });
    expect(late.error).toMatchObject({ status: 422, code: 'email_exists' });
    expect((await signIn(email)).error).toBeNull();
  });

  test('is discarded when the change is cancelled or its links expire', async () => {
    const { client, token } = await signIn();
    await client.updateUser({ email: newEmail });
    const link = new URL(server.linkIn(await server.lastOfEmails(newEmail, 1)));
    const token_hash = link.searchParams.get('token')!;
    const given = await server.call(token, authApi.cancelEmailChange, {});
    expect(given.status).toBe(200);
    expect((await client.getUser()).data.user?.new_email).toBeUndefined();
    const gone = await client.verifyOtp({ token_hash, type: 'email_change' });
    expect(gone.error?.code).toBe('otp_expired');

    await client.updateUser({ email: newEmail });
    await server.lastOfEmails(newEmail, 2);
    const expiresAt = new Date(Date.now() - 1000).toISOString();
    await server.db.updateTable('emailChanges').set({ expiresAt }).execute();
    expect((await client.getUser()).data.user?.new_email).toBeUndefined();
    expect((await openLink(client, newEmail)).error?.code).toBe('otp_expired');
  });

  test('requires the password again 15 minutes after signing in', async () => {
    const { client, token } = await signIn();
    const { session_id: sessionId } = decodeJwt<{ session_id: string }>(token);
    const confirmedAt = new Date(Date.now() - 16 * 60_000).toISOString();
    await server.db.updateTable('sessions').set({ confirmedAt }).where('sessionId', '=', sessionId).execute();
    const refused = await client.updateUser({ email: newEmail });
    expect(refused.error).toMatchObject({ status: 401, code: 'reauthentication_needed' });
    const wrong = await client.updateUser({ email: newEmail, current_password: 'not-the-password' });
    expect(wrong.error).toMatchObject({
      status: 400,
      code: 'current_password_invalid',
      message: 'This is not your current password.',
    });
    expect((await client.updateUser({ email: newEmail, current_password: password })).error).toBeNull();
    expect((await client.getUser()).data.user?.new_email).toBe(newEmail);
  });

  test('is limited per account and IP address; wrong passwords are limited per session', async () => {
    const { client } = await signIn();
    const codes: (string | undefined)[] = [];
    for (let round = 0; round < 6; round += 1) {
      codes.push((await client.updateUser({ email: `${round}-${newEmail}` })).error?.code);
    }
    expect(codes).toEqual([...Array(5).fill(undefined), 'over_request_rate_limit']);
    const other = `next-${people}@change.example`;
    await addPerson(other);
    const next = (await signIn(other)).client;
    expect((await next.updateUser({ email: newEmail })).error?.status, 'also limited per IP address').toBe(
      429,
    );

    const guesses: (string | undefined)[] = [];
    for (let round = 0; round < 11; round += 1) {
      guesses.push((await client.updateUser({ current_password: `guess-${round}` })).error?.code);
    }
    expect(guesses).toEqual([...Array(10).fill('current_password_invalid'), 'over_request_rate_limit']);
    expect((await client.updateUser({ current_password: password })).error?.status).toBe(429);
    const elsewhere = (await signIn()).client;
    expect(
      (await elsewhere.updateUser({ current_password: password })).error,
      'passwords are limited only in that session',
    ).toBeNull();
  });
});
