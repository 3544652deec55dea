import { expect, test } from 'vitest';
import { adminApi } from '#domain/admin/contract.ts';
import { settingsApi } from '#domain/settings/contract.ts';
import { codeOf, type Factor, nextCodeOf } from '#server/test-support/authenticator.test-support.ts';
import type { Session, Someone } from '#server/test-support/contract-client.test-support.ts';
import { readContracts } from '#server/test-support/contract-walk.test-support.ts';
import { beforeTests, eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';

const app = setUpTestApp();
const admin = beforeTests(() => app.signIn('admin'));

/** Backdates all of this person's proofs of identity to this many minutes ago. */
async function letPass({ userId }: Someone, minutes: number) {
  const confirmedAt = new Date(Date.now() - minutes * 60_000).toISOString();
  await app.db.updateTable('sessions').set({ confirmedAt }).where('userId', '=', userId).execute();
  await app.db
    .updateTable('sessions')
    .set({ secondStepAt: confirmedAt })
    .where('userId', '=', userId)
    .where('secondStepAt', 'is not', null)
    .execute();
}

async function giveCode(who: Someone, factorId: string, code: string): Promise<Someone> {
  const { body: challenge } = await app.auth(who, `/factors/${factorId}/challenge`);
  const body = { challenge_id: challenge.id, code };
  const verified = await app.auth<Session>(who, `/factors/${factorId}/verify`, { body });
  expect(verified.status).toBe(200);
  return { ...who, token: verified.body.access_token };
}

const makeAdmin = (who: Someone, userId: string) =>
  app.call(who, adminApi.changeRole, { userId, role: 'admin', isHeld: true });
const rename = (who: Someone, name: string) => app.call(who, settingsApi.updateBrand, { name });

const rolesOf = async ({ userId }: Someone) =>
  (await app.db.selectFrom('profiles').select('roles').where('userId', '=', userId).executeTakeFirstOrThrow())
    .roles;

test('requires a fresh proof of identity for all but five changes by admins [ROLE-9]', async () => {
  const changing = [...readContracts().values()].filter(
    ({ gate, method }) => gate === 'admin' && method !== 'GET',
  );
  expect(changing.length).toBeGreaterThan(12);
  const undeclared = changing.filter(({ reauthenticate }) => reauthenticate === undefined);
  expect(undeclared.map(({ operationId }) => operationId)).toEqual([]);
  const open = changing.filter(({ reauthenticate }) => reauthenticate === false);
  expect(open.map(({ operationId }) => operationId).sort()).toEqual([
    'mark_attendance_at_desk',
    'move_booking',
    'preview_payrun',
    'retry_refund',
    'send_dispute_evidence',
  ]);
});

test('accepts a proof of identity for 15 minutes and renews it with the password [ROLE-9]', async () => {
  await letPass(admin, 14);
  expect((await rename(admin, 'Fourteen')).status).toBe(200);
  await letPass(admin, 16);
  expect((await rename(admin, 'Sixteen')).error).toMatchObject({
    code: 'confirmation_required',
    details: { isCodeEnough: true },
  });
  expect(
    (await app.auth(admin, '/user', { method: 'PUT', body: { current_password: 'not-the-password' } }))
      .status,
  ).toBe(400);
  expect((await rename(admin, 'Sixteen')).status).toBe(403);
  expect(
    (await app.auth(admin, '/user', { method: 'PUT', body: { current_password: 'correct-horse-battery' } }))
      .status,
  ).toBe(200);
  expect((await rename(admin, 'Sixteen')).body.brand).toEqual({ name: 'Sixteen' });
});

test("renews the proof of identity with the authenticator app's code [ROLE-9]", async () => {
  const owner = await app.signIn('admin');
  const enrolled = await app.auth<Factor>(owner, '/factors', { body: { factor_type: 'totp' } });
  const { id, totp } = enrolled.body;
  const signedIn = await giveCode(owner, id, codeOf(totp.secret));
  await letPass(signedIn, 16);
  expect((await rename(signedIn, 'By code')).error?.code).toBe('confirmation_required');
  // Enrolment used up the current code.
  const proved = await giveCode(signedIn, id, nextCodeOf(totp.secret));
  expect((await rename(proved, 'By code')).body.brand).toEqual({ name: 'By code' });
});

test('stops a stolen session from changing admin roles or adding an authenticator app [ROLE-9]', async () => {
  const owner = await app.signIn('admin');
  const accomplice = await app.signIn('customer');
  await letPass(owner, 16);
  expect((await makeAdmin(owner, accomplice.userId)).error?.code).toBe('confirmation_required');
  const revocation = { userId: admin.userId, role: 'admin', isHeld: false } as const;
  expect((await app.call(owner, adminApi.changeRole, revocation)).error?.code).toBe('confirmation_required');
  expect(await rolesOf(admin)).toContain('admin');
  const enrolled = await app.auth(owner, '/factors', { body: { factor_type: 'totp' } });
  expect([enrolled.status, enrolled.body.code]).toEqual([401, 'reauthentication_needed']);
  // In a session opened through a recovery link, neither the password nor an authenticator code has been entered.
  await app.db
    .updateTable('sessions')
    .set({ method: 'recovery', confirmedAt: new Date().toISOString() })
    .where('userId', '=', owner.userId)
    .execute();
  expect((await makeAdmin(owner, accomplice.userId)).error?.code).toBe('confirmation_required');
  expect(await rolesOf(accomplice)).toEqual(['customer']);
  const coaching = { userId: accomplice.userId, role: 'coach', isHeld: true } as const;
  expect((await app.call(owner, adminApi.changeRole, coaching)).status).toBe(200);
});

test('emails admins who give up their own role, and all other admins [ROLE-6c]', async () => {
  const [leaver, other] = [await app.signIn('admin'), await app.signIn('admin')];
  const given = { userId: leaver.userId, role: 'admin', isHeld: false } as const;
  expect((await app.call(leaver, adminApi.changeRole, given)).status).toBe(200);
  const toLeaver = await eventually(async () =>
    (await app.emailsTo(leaver.email)).find(({ subject }) =>
      subject.startsWith('You are no longer an admin'),
    ),
  );
  expect(toLeaver.text).toContain('You gave up the admin role');
  expect(toLeaver.text).toContain("If this wasn't you");
  await eventually(async () =>
    (await app.emailsTo(other.email)).some(({ subject }) => subject.includes('is no longer an admin')),
  );
});

test('emails the person and the other admins about a granted or revoked admin role [ROLE-6c]', async () => {
  const by = await app.signIn('admin');
  const others = [await app.signIn('admin'), await app.signIn('admin')];
  const person = await app.signIn('customer');
  expect((await makeAdmin(by, person.userId)).status).toBe(200);
  const subjectsTo = async ({ email }: Someone) =>
    (await app.emailsTo(email)).map(({ subject }) => subject.replace(/ at .*$/, ''));
  const { fullName } = await app.db
    .selectFrom('profiles')
    .select('fullName')
    .where('userId', '=', person.userId)
    .executeTakeFirstOrThrow();
  await eventually(async () => (await subjectsTo(person)).includes('You are now an admin'));
  for (const other of others) {
    await eventually(async () => (await subjectsTo(other)).includes(`${fullName} is now an admin`));
  }
  await app.call(by, adminApi.changeRole, { userId: person.userId, role: 'admin', isHeld: false });
  await eventually(async () => (await subjectsTo(person)).includes('You are no longer an admin'));
  for (const other of others) {
    await eventually(async () => (await subjectsTo(other)).includes(`${fullName} is no longer an admin`));
  }
  expect(await subjectsTo(by)).toEqual([]);
});
