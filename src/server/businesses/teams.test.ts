import { describe, expect, test } from 'vitest';
import { businessesApi } from '#domain/businesses/contract.ts';
import { invitationsApi } from '#domain/businesses/invitations-contract.ts';
import { ownersOnlyMessage } from '#domain/businesses/rules.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { revokeRole } from './change-roles.ts';

const app = setUpTestApp();

const coach = () => app.signIn('customer', 'coach');

async function found(owner: Someone, businessName = 'Riverside Tennis') {
  const { body } = await app.call(owner, businessesApi.saveBusiness, { businessName });
  return body.business;
}

async function invite(owner: Someone, email: string) {
  const { status, body } = await app.call(owner, invitationsApi.inviteCoach, { email });
  expect(status).toBe(200);
  return { ...body.invitation, token: await tokenFor(email) };
}

/** Waits until `count` emails to this address have arrived; returns the token of the link in the newest email. */
async function tokenFor(email: string, count = 1): Promise<string> {
  const emails = await eventually(async () => {
    const all = await app.emailsTo(email);
    return all.length >= count ? all : null;
  });
  const link = /https?:\/\/\S+/.exec(emails.at(-1)!.text)![0];
  expect(new URL(link).pathname).toBe('/team-invitation');
  return new URL(link).searchParams.get('token')!;
}

async function join(owner: Someone, member: Someone) {
  const { token } = await invite(owner, member.email);
  const answer = await app.call(member, invitationsApi.acceptInvitation, { token });
  expect(answer.status).toBe(200);
}

async function readTeam(who: Someone) {
  const { body } = await app.call(who, businessesApi.listTeam, {});
  return body.team;
}

const rolesIn = async (who: Someone) =>
  Object.fromEntries((await readTeam(who))?.members.map((m) => [m.coachId, m.businessRole]) ?? []);

const auditOf = async (subjectId: string) =>
  (
    await app.db
      .selectFrom('auditLog')
      .select(['action', 'actorUserId', 'before', 'after'])
      .where('subjectId', '=', subjectId)
      .orderBy('auditId')
      .execute()
  ).filter(({ action }) => action !== 'role.granted');

async function makeOwner(owner: Someone, member: Someone) {
  const input = { coachId: member.userId, businessRole: 'owner' as const };
  expect((await app.call(owner, businessesApi.changeBusinessRole, input)).status).toBe(200);
}

describe('the businesses API', () => {
  test('creates and updates a business for its owner [BIZ-1] [BANK-3]', async () => {
    const owner = await coach();
    const none = await app.call(owner, businessesApi.getBusiness, {});
    expect(none).toMatchObject({ status: 200, body: { business: null, businessRole: null } });
    expect(await readTeam(owner)).toBeNull();
    const unwritten = await app.call(owner, businessesApi.getCoachProfile, {});
    const nothing = {
      coachType: null,
      bio: null,
      hourlyRateCents: null,
      sports: [],
      towns: [],
      languages: [],
    };
    expect([unwritten.status, unwritten.body.coachProfile]).toEqual([200, nothing]);
    const refused = await app.call(owner, businessesApi.saveBusiness, {
      businessName: '  ',
      businessEmail: 'not an address',
      businessPhone: 'call me',
    });
    expect(refused.status).toBe(422);
    expect(Object.keys(refused.error!.fields!).sort()).toEqual([
      'businessEmail',
      'businessName',
      'businessPhone',
    ]);
    const first = await found(owner, ' Riverside Tennis ');
    expect(first).toMatchObject({ businessName: 'Riverside Tennis', businessEmail: null, taxId: null });
    const details = {
      businessName: 'Riverside Racket Club',
      businessEmail: 'Hello@Riverside.example',
      businessPhone: '0113 496 0000',
      businessAddress: '1 River Lane, Leeds',
      taxId: 'GB123',
    };
    const changed = await app.call(owner, businessesApi.saveBusiness, details);
    expect(changed.body.business).toMatchObject({
      ...details,
      businessId: first.businessId,
      businessEmail: 'hello@riverside.example',
    });
    expect((await auditOf(first.businessId)).map(({ action }) => action)).toEqual([
      'business.created',
      'business.changed',
    ]);
    expect((await readTeam(owner))?.members).toMatchObject([
      { coachId: owner.userId, businessRole: 'owner', email: owner.email },
    ]);
  });

  test('shows an employee the business without its tax ID [BIZ-1]', async () => {
    const [owner, employee] = [await coach(), await coach()];
    const details = {
      businessName: 'Nets',
      businessEmail: 'nets@nets.example',
      businessPhone: '0113 496 0001',
      businessAddress: '2 Net Lane, Leeds',
    };
    await app.call(owner, businessesApi.saveBusiness, { ...details, taxId: 'GB999' });
    await join(owner, employee);
    const { body } = await app.call(employee, businessesApi.getBusiness, {});
    expect(body).toMatchObject({ businessRole: 'employee', business: { ...details, taxId: null } });
    expect(JSON.stringify(body)).not.toContain('GB999');
    const refused = await app.call(employee, businessesApi.saveBusiness, { businessName: 'Mine now' });
    expect(refused).toMatchObject({ status: 403 });
    expect((await app.call(owner, businessesApi.getBusiness, {})).body.business?.businessName).toBe('Nets');
  });

  test('creates only one business when it is saved twice simultaneously', async () => {
    const owner = await coach();
    const input = { businessName: 'Twice' };
    const answers = await Promise.all([
      app.call(owner, businessesApi.saveBusiness, input),
      app.call(owner, businessesApi.saveBusiness, input),
    ]);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    const rows = await app.db
      .selectFrom('coachingBusinesses')
      .select('businessId')
      .where('ownerUserId', '=', owner.userId)
      .execute();
    expect(rows).toHaveLength(1);
  });
});

test('saves a coach profile without duplicates or blanks, and refuses invalid values [BIZ-2a]', async () => {
  const me = await coach();
  const before = await app.call(me, businessesApi.getCoachProfile, {});
  expect(before.body.coachProfile).toMatchObject({ coachType: null, sports: [], hourlyRateCents: null });
  const saved = await app.call(me, businessesApi.saveCoachProfile, {
    coachType: ' Tennis coach ',
    bio: 'Calm and clear.',
    sports: ['tennis', 'athletics', 'tennis'],
    towns: [' Leeds ', '', 'Leeds', 'York'],
    languages: ['English'],
    hourlyRateCents: 4550,
  });
  expect(saved.status).toBe(200);
  expect((await app.call(me, businessesApi.getCoachProfile, {})).body.coachProfile).toEqual({
    coachType: 'Tennis coach',
    bio: 'Calm and clear.',
    sports: ['tennis', 'athletics'],
    towns: ['Leeds', 'York'],
    languages: ['English'],
    hourlyRateCents: 4550,
  });
  for (const [wrong, field] of [
    [{ hourlyRateCents: 12.5 }, 'hourlyRateCents'],
    [{ hourlyRateCents: -1 }, 'hourlyRateCents'],
    [{ sports: ['quidditch' as 'tennis'] }, 'sports'],
    [{ towns: ['x'.repeat(61)] }, 'towns'],
    [{ bio: 'x'.repeat(4001) }, 'bio'],
  ] as const) {
    const { status, error } = await app.call(me, businessesApi.saveCoachProfile, wrong as object);
    expect(status).toBe(422);
    expect(Object.keys(error!.fields!)[0]!.split('.')[0]).toBe(field);
  }
});

describe('managing a team [ROLE-3] [TEAM-1]', () => {
  test("changes members' roles, removes members and audits each change", async () => {
    const [owner, member] = [await coach(), await coach()];
    const { businessId } = await found(owner);
    await join(owner, member);
    await makeOwner(owner, member);
    expect(await rolesIn(owner)).toEqual({ [owner.userId]: 'owner', [member.userId]: 'owner' });
    const demotion = { coachId: member.userId, businessRole: 'employee' as const };
    await app.call(owner, businessesApi.changeBusinessRole, demotion);
    expect(await rolesIn(owner)).toMatchObject({ [member.userId]: 'employee' });
    const removed = await app.call(owner, businessesApi.removeMember, { coachId: member.userId });
    expect(removed.status).toBe(200);
    expect(await rolesIn(owner)).toEqual({ [owner.userId]: 'owner' });
    expect(await readTeam(member)).toBeNull();
    const stored = await app.db
      .selectFrom('coaches')
      .select(['businessId', 'businessRole', 'isActive'])
      .where('coachId', '=', member.userId)
      .executeTakeFirst();
    expect(stored).toEqual({ businessId: null, businessRole: 'employee', isActive: true });
    expect(await auditOf(member.userId)).toMatchObject([
      { action: 'business_role.changed', actorUserId: owner.userId, after: { businessRole: 'owner' } },
      { action: 'business_role.changed', after: { businessId, businessRole: 'employee' } },
      { action: 'team_member.removed', before: { businessId, businessRole: 'employee' } },
    ]);
  });

  test('makes a removed owner an employee without a business', async () => {
    const [owner, partner] = [await coach(), await coach()];
    await found(owner);
    await join(owner, partner);
    await makeOwner(owner, partner);
    const removed = await app.call(owner, businessesApi.removeMember, { coachId: partner.userId });
    expect(removed.status).toBe(200);
    const stored = await app.db
      .selectFrom('coaches')
      .select(['businessId', 'businessRole'])
      .where('coachId', '=', partner.userId)
      .executeTakeFirst();
    expect(stored).toEqual({ businessId: null, businessRole: 'employee' });
  });

  test('refuses employees, outsiders and owners acting on themselves', async () => {
    const [owner, employee, other, stranger] = [await coach(), await coach(), await coach(), await coach()];
    await found(owner);
    await found(stranger, 'Elsewhere');
    await join(owner, employee);
    await join(owner, other);
    const promote = (who: Someone, whom: Someone) =>
      app.call(who, businessesApi.changeBusinessRole, { coachId: whom.userId, businessRole: 'owner' });
    const remove = (who: Someone, whom: Someone) =>
      app.call(who, businessesApi.removeMember, { coachId: whom.userId });
    for (const action of [promote, remove]) {
      expect(await action(employee, other)).toMatchObject({
        status: 403,
        error: { message: ownersOnlyMessage },
      });
      expect(await action(employee, employee)).toMatchObject({
        status: 403,
        error: { message: 'Only business owners can manage team members and roles.' },
      });
      expect(await action(stranger, other)).toMatchObject({ status: 404 });
      expect(await action(owner, stranger)).toMatchObject({ status: 404 });
      expect(await action(owner, owner)).toMatchObject({
        status: 409,
        error: { message: expect.stringMatching(/^You can't change your own role or remove yourself\./) },
      });
    }
    const demotion = { coachId: owner.userId, businessRole: 'employee' as const };
    expect(await app.call(owner, businessesApi.changeBusinessRole, demotion)).toMatchObject({
      status: 409,
      error: { message: expect.stringMatching(/^You can't change your own role or remove yourself\./) },
    });
    const invitation = await app.call(employee, invitationsApi.inviteCoach, { email: 'x@test.example' });
    expect(invitation).toMatchObject({ status: 403, error: { message: ownersOnlyMessage } });
    expect(await rolesIn(owner)).toEqual({
      [owner.userId]: 'owner',
      [employee.userId]: 'employee',
      [other.userId]: 'employee',
    });
  });

  test('keeps one owner when two owners demote or remove each other', async () => {
    for (const action of ['demote', 'remove'] as const) {
      const [one, two] = [await coach(), await coach()];
      const { businessId } = await found(one);
      await join(one, two);
      await makeOwner(one, two);
      const apply = (by: Someone, against: Someone) =>
        action === 'remove'
          ? app.call(by, businessesApi.removeMember, { coachId: against.userId })
          : app.call(by, businessesApi.changeBusinessRole, {
              coachId: against.userId,
              businessRole: 'employee',
            });
      const answers = await Promise.all([apply(one, two), apply(two, one)]);
      expect(answers.map(({ status }) => status === 200).sort()).toEqual([false, true]);
      const winner = answers[0].status === 200 ? one : two;
      expect((await rolesIn(winner))[winner.userId]).toBe('owner');
      const business = await app.db
        .selectFrom('coachingBusinesses')
        .select('ownerUserId')
        .where('businessId', '=', businessId)
        .executeTakeFirst();
      expect(business?.ownerUserId).toBe(winner.userId);
    }
  });

  test('stops a former coach from becoming an owner or managing the team', async () => {
    const [owner, member] = [await coach(), await coach()];
    await found(owner);
    await join(owner, member);
    await revokeRole(app.db, { system: 'test' }, member.userId, 'coach');
    const input = { coachId: member.userId, businessRole: 'owner' as const };
    expect(await app.call(owner, businessesApi.changeBusinessRole, input)).toMatchObject({ status: 409 });
    expect((await app.call(member, businessesApi.listTeam, {})).status).toBe(403);

    const [former, other] = [await coach(), await coach()];
    await join(owner, former);
    await join(owner, other);
    await makeOwner(owner, former);
    await revokeRole(app.db, { system: 'test' }, former.userId, 'coach');
    const promotion = { coachId: other.userId, businessRole: 'owner' as const };
    const refusal = { status: 403, error: { message: 'You need coach permissions to access this area.' } };
    expect(await app.call(former, businessesApi.changeBusinessRole, promotion)).toMatchObject(refusal);
    const removal = { coachId: other.userId };
    expect(await app.call(former, businessesApi.removeMember, removal)).toMatchObject(refusal);
    expect(await rolesIn(owner)).toMatchObject({ [other.userId]: 'employee' });
  });
});

test('emails members about changes made by others, but not about their own', async () => {
  const [owner, member, other] = [await coach(), await coach(), await coach()];
  await found(owner, 'Told Tennis');
  await join(owner, member);
  await join(owner, other);
  await makeOwner(owner, member);
  const { coachId } = { coachId: member.userId };
  await app.call(owner, businessesApi.changeBusinessRole, { coachId, businessRole: 'employee' });
  // Repeating a change sends no second email.
  await app.call(owner, businessesApi.changeBusinessRole, { coachId, businessRole: 'employee' });
  await app.call(owner, businessesApi.removeMember, { coachId });
  const subjects = async (who: Someone) =>
    (await app.emailsTo(who.email)).map(({ subject }) => subject).sort();
  await expect
    .poll(() => subjects(member))
    .toEqual([
      expect.stringContaining('invites you to join Told Tennis'),
      'You are no longer a member of Told Tennis',
      'You are now an owner of Told Tennis',
      'Your role in Told Tennis has changed',
    ]);
  await app.call(owner, businessesApi.leaveTeam, { endsBusiness: true });
  await expect
    .poll(() => subjects(other))
    .toEqual([expect.stringContaining('invites you to join Told Tennis'), 'Told Tennis has ended']);
  const accepted = expect.stringContaining('has accepted your invitation');
  await expect.poll(() => subjects(owner)).toEqual([accepted, accepted]);
});

describe('leaving a team', () => {
  test('lets an employee leave, and transfers the business when an owner leaves', async () => {
    const [owner, second, employee] = [await coach(), await coach(), await coach()];
    await found(owner);
    await join(owner, second);
    await join(owner, employee);
    await makeOwner(owner, second);
    expect(await app.call(employee, businessesApi.leaveTeam, {})).toMatchObject({
      status: 200,
      body: { hasEnded: false },
    });
    const left = await app.call(owner, businessesApi.leaveTeam, { endsBusiness: true });
    expect(left.body).toEqual({ hasEnded: false });
    expect(await rolesIn(second)).toEqual({ [second.userId]: 'owner' });
    expect((await app.call(owner, businessesApi.getBusiness, {})).body.business).toBeNull();
  });

  test('ends a business only when its last owner confirms', async () => {
    const [owner, employee, invited] = [await coach(), await coach(), await coach()];
    const { businessId } = await found(owner);
    await join(owner, employee);
    const { token } = await invite(owner, invited.email);
    expect(await app.call(owner, businessesApi.leaveTeam, {})).toMatchObject({ status: 409 });
    expect(Object.keys(await rolesIn(owner))).toHaveLength(2);
    const ended = await app.call(owner, businessesApi.leaveTeam, { endsBusiness: true });
    expect(ended.body).toEqual({ hasEnded: true });
    expect(await readTeam(employee)).toBeNull();
    expect(await app.call(invited, invitationsApi.acceptInvitation, { token })).toMatchObject({
      status: 404,
    });
    expect((await auditOf(businessId)).at(-1)).toMatchObject({
      action: 'business.ended',
    });
    await found(owner, 'A new start');
  });

  test('keeps one owner when two owners leave simultaneously', async () => {
    const [one, two] = [await coach(), await coach()];
    const { businessId } = await found(one);
    await join(one, two);
    await makeOwner(one, two);
    const answers = await Promise.all([one, two].map((who) => app.call(who, businessesApi.leaveTeam, {})));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const owners = await app.db
      .selectFrom('coaches')
      .select('coachId')
      .where('businessId', '=', businessId)
      .where('businessRole', '=', 'owner')
      .execute();
    expect(owners).toHaveLength(1);
  });
});
