import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { businessesApi } from '#domain/businesses/contract.ts';
import { invitationsApi } from '#domain/businesses/invitations-contract.ts';
import { applicationQueueApi } from '#domain/verification/applications-contract.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { submitCompleteApplication } from '#server/verification/applications/applications.test-support.ts';

const app = setUpTestApp();

const coach = () => app.signIn('customer', 'coach');

async function openBusiness(businessName = 'Harbour Swimming'): Promise<Someone> {
  const owner = await coach();
  await app.call(owner, businessesApi.saveBusiness, { businessName });
  return owner;
}

/** Waits until `count` emails to this address have arrived; returns the token of the link in the newest email. */
async function tokenFor(email: string, count = 1): Promise<string> {
  const emails = await eventually(async () => {
    const all = await app.emailsTo(email);
    return all.length >= count ? all : null;
  });
  return new URL(/https?:\/\/\S+/.exec(emails.at(-1)!.text)![0]).searchParams.get('token')!;
}

async function invite(owner: Someone, email: string) {
  const { body } = await app.call(owner, invitationsApi.inviteCoach, { email });
  return { ...body.invitation, token: await tokenFor(email) };
}

const accept = (who: Someone | null, token: string) =>
  app.call(who, invitationsApi.acceptInvitation, { token });
const read = async (who: Someone | null, token: string) =>
  (await app.call(who, invitationsApi.getInvitation, { token })).body;

test('accepts an invitation once, and stores the hash of its token [TEAM-2]', async () => {
  const [owner, invited] = [await openBusiness(), await coach()];
  const { token, expiresAt } = await invite(owner, invited.email);
  const days = (Date.parse(expiresAt) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(6.9);
  expect(days).toBeLessThanOrEqual(7.01);
  const row = await app.db
    .selectFrom('businessInvitations')
    .selectAll()
    .where('email', '=', invited.email)
    .executeTakeFirstOrThrow();
  expect(row.tokenHash.equals(createHash('sha256').update(token).digest())).toBe(true);
  const [received] = await app.emailsTo(invited.email);
  expect(received!.subject).toContain('Harbour Swimming');

  expect(await read(null, token)).toMatchObject({
    businessName: 'Harbour Swimming',
    obstacle: { code: 'unauthenticated' },
  });
  expect(await read(invited, token)).toMatchObject({ obstacle: null, joinObstacle: null });
  const answers = await Promise.all([accept(invited, token), accept(invited, token)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const { body } = await app.call(invited, businessesApi.getBusiness, {});
  expect(body).toMatchObject({ businessRole: 'employee', business: { businessName: 'Harbour Swimming' } });
  expect((await accept(invited, token)).error?.message).toMatch(/already been accepted/);
  const { body: seen } = await app.call(owner, businessesApi.listTeam, {});
  expect(seen.team?.invitations).toEqual([]);
  await invite(owner, (await coach()).email);
  expect((await app.call(invited, businessesApi.listTeam, {})).body.team?.invitations).toEqual([]);
});

test('lets the owner invite again after a decline [TEAM-2]', async () => {
  const [owner, invited] = [await openBusiness(), await coach()];
  const { token } = await invite(owner, invited.email);
  expect((await app.call(invited, invitationsApi.declineInvitation, { token })).status).toBe(200);
  expect((await accept(invited, token)).error?.message).toMatch(/was declined/);
  expect((await app.call(invited, businessesApi.getBusiness, {})).body.business).toBeNull();
  const again = await app.call(owner, invitationsApi.inviteCoach, { email: invited.email });
  expect(again.status).toBe(200);
});

test("refuses expired, withdrawn, replaced, unknown and other people's links [TEAM-2]", async () => {
  const [owner, invited, stranger] = [await openBusiness(), await coach(), await coach()];
  const first = await invite(owner, invited.email);
  const foreign = await accept(stranger, first.token);
  expect(foreign).toMatchObject({ status: 403 });
  expect(foreign.error?.message).toMatch(/sent to another email address/);
  expect(foreign.error?.message).not.toContain(invited.email);
  expect((await app.call(stranger, invitationsApi.declineInvitation, { token: first.token })).status).toBe(
    403,
  );

  await app.db
    .updateTable('businessInvitations')
    .set({ expiresAt: sql`now() - interval '1 second'` })
    .where('invitationId', '=', first.invitationId)
    .execute();
  expect((await accept(invited, first.token)).error?.message).toMatch(/has expired/);
  expect((await app.call(invited, businessesApi.getBusiness, {})).body.business).toBeNull();
  const { body } = await app.call(owner, businessesApi.listTeam, {});
  expect(body.team?.invitations).toMatchObject([{ email: invited.email, isExpired: true }]);

  const sentAgain = await app.call(owner, invitationsApi.resendInvitation, {
    invitationId: first.invitationId,
  });
  expect(sentAgain.body.invitation.isExpired).toBe(false);
  const token = await tokenFor(invited.email, 2);
  expect(await accept(invited, first.token)).toMatchObject({ status: 404 });
  expect(await accept(invited, 'made-up')).toMatchObject({ status: 404 });
  expect(await accept(null, token)).toMatchObject({ status: 401 });

  const { invitationId } = first;
  const strangersOwn = await openBusiness('Elsewhere');
  for (const action of [invitationsApi.withdrawInvitation, invitationsApi.resendInvitation]) {
    expect(await app.call(strangersOwn, action, { invitationId })).toMatchObject({ status: 404 });
  }
  expect((await app.call(owner, invitationsApi.withdrawInvitation, { invitationId })).status).toBe(200);
  expect((await accept(invited, token)).error?.message).toMatch(/was withdrawn/);
  expect((await app.call(invited, businessesApi.getBusiness, {})).body.business).toBeNull();
  expect((await app.call(owner, invitationsApi.resendInvitation, { invitationId })).status).toBe(404);
});

test('explains why customers and members of other teams cannot join [TEAM-2]', async () => {
  const [owner, customer] = [await openBusiness(), await app.signIn('customer')];
  const { token } = await invite(owner, customer.email);
  expect((await read(customer, token)).joinObstacle).toMatch(/Only coaches/);
  expect(await accept(customer, token)).toMatchObject({ status: 403 });
  const rival = await openBusiness('Rivals');
  const forRival = await invite(owner, rival.email);
  expect((await read(rival, forRival.token)).joinObstacle).toMatch(/already in a business's team/);
  expect(await accept(rival, forRival.token)).toMatchObject({ status: 409 });
  expect((await app.call(rival, businessesApi.getBusiness, {})).body.business?.businessName).toBe('Rivals');
});

test('refuses to invite an existing member, or one address twice', async () => {
  const owner = await openBusiness();
  const self = await app.call(owner, invitationsApi.inviteCoach, { email: owner.email.toUpperCase() });
  expect(self).toMatchObject({ status: 409 });
  expect(self.error?.fields).toHaveProperty('email');
  const email = 'nobody-yet@test.example';
  const answers = await Promise.all([1, 2].map(() => app.call(owner, invitationsApi.inviteCoach, { email })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
});

test('sends at most five invitations a day to one address', async () => {
  const owner = await openBusiness();
  const email = 'often@test.example';
  const { body } = await app.call(owner, invitationsApi.inviteCoach, { email });
  const { invitationId } = body.invitation;
  for (let received = 2; received <= 5; received += 1) {
    expect((await app.call(owner, invitationsApi.resendInvitation, { invitationId })).status).toBe(200);
  }
  await tokenFor(email, 5);
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const refused = await app.call(owner, invitationsApi.resendInvitation, { invitationId });
    expect(refused).toMatchObject({ status: 429 });
  }
  expect(await app.emailsTo(email)).toHaveLength(5);
});

test('lets an invited customer apply before joining; emails the inviter each response [TEAM-2]', async () => {
  const [owner, invited, admin] = [
    await openBusiness('Apply Rowing'),
    await app.signIn('customer'),
    await app.signIn('admin'),
  ];
  const { token } = await invite(owner, invited.email);
  expect(await read(invited, token)).toMatchObject({ application: 'possible' });
  const { applicationId, submittedAt } = await submitCompleteApplication(app, invited);
  const { fullName: applicant } = await app.db
    .selectFrom('profiles')
    .select('fullName')
    .where('userId', '=', invited.userId)
    .executeTakeFirstOrThrow();
  expect(await read(invited, token)).toMatchObject({ application: 'sent', obstacle: null });
  const emailsTo = async (email: string, subject: string) =>
    (await app.emailsTo(email)).filter((received) => received.subject.startsWith(subject));
  const [asked] = await eventually(async () => {
    const emails = await emailsTo(admin.email, `${applicant} wants to become a coach`);
    return emails.length > 0 ? emails : null;
  });
  expect(asked!.text).toContain(`/admin/applications/${applicationId}`);

  const approval = { applicationId, submittedAt: submittedAt!, decision: 'approve' } as const;
  expect((await app.call(admin, applicationQueueApi.decide, approval)).error).toBeUndefined();
  await eventually(async () => (await emailsTo(invited.email, 'You are a coach on')).length === 1);
  expect(await read(invited, token)).toMatchObject({ application: null, joinObstacle: null });
  expect((await accept(invited, token)).status).toBe(200);
  await eventually(
    async () => (await emailsTo(owner.email, `${invited.email} has accepted your invitation`)).length === 1,
  );
  expect(await emailsTo(admin.email, `${applicant} wants to become a coach`)).toHaveLength(1);

  const declining = await coach();
  const second = await invite(owner, declining.email);
  await app.call(declining, invitationsApi.declineInvitation, { token: second.token });
  await eventually(
    async () => (await emailsTo(owner.email, `${declining.email} has declined your invitation`)).length === 1,
  );
  expect((await app.call(declining, businessesApi.getBusiness, {})).body.business).toBeNull();

  // Of several owners, only the owner who sent the invitation is notified.
  const promotion = { coachId: invited.userId, businessRole: 'owner' } as const;
  expect((await app.call(owner, businessesApi.changeBusinessRole, promotion)).status).toBe(200);
  const joining = await coach();
  const third = await invite(invited, joining.email);
  expect((await accept(joining, third.token)).status).toBe(200);
  await eventually(
    async () => (await emailsTo(invited.email, `${joining.email} has accepted your invitation`)).length === 1,
  );
  expect(await emailsTo(owner.email, `${joining.email} has`)).toEqual([]);
});
