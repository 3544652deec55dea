import { describe, expect, test } from 'vitest';
import { ownAccountApi } from '#domain/account/contract.ts';
import { accountsApi } from '#domain/accounts/contract.ts';
import { adminApi } from '#domain/admin/contract.ts';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { businessesApi } from '#domain/businesses/contract.ts';
import { invitationsApi } from '#domain/businesses/invitations-contract.ts';
import { catalogueApi } from '#domain/catalogue/contract.ts';
import { defaultBrand } from '#domain/default-brand.ts';
import { discoverApi } from '#domain/discover/contract.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { beforeTests, eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';

const app = setUpTestApp();
const club = beforeTests(() => openClub(app));
const admin = beforeTests(() => app.signIn('admin'));

const change = (
  who: Someone | null,
  { userId }: Someone,
  role: 'customer' | 'coach' | 'admin',
  isHeld: boolean,
  expectedLessons?: number,
) => app.call(who, adminApi.changeRole, { userId, role, isHeld, expectedLessons });

const isDiscovered = async (slotId: string) => {
  const { body } = await app.call(null, discoverApi.discoverSlots, { limit: 50 });
  return body.slots.some((slot) => slot.slotId === slotId);
};

test('grants and revokes roles and sets up a new coach [ADM-2]', async () => {
  const person = await app.signIn('customer');
  const given = await change(admin, person, 'coach', true);
  expect(given.status).toBe(200);
  expect(given.body.user).toMatchObject({ userId: person.userId, roles: ['customer', 'coach'] });
  expect((await app.call(person, catalogueApi.listTemplates, {})).status).toBe(200);
  expect((await change(admin, person, 'customer', false)).body.user.roles).toEqual(['coach']);
  expect((await change(admin, person, 'coach', false)).body.user.roles).toEqual([]);
  expect((await app.call(person, catalogueApi.listTemplates, {})).status).toBe(403);
  // Repeating a change succeeds and does nothing.
  expect((await change(admin, person, 'coach', false)).status).toBe(200);
  const rolesOf = async () => {
    const { body } = await app.call(admin, adminApi.listUsers, { search: person.email });
    return body.users.map(({ roles }) => roles);
  };
  expect(await rolesOf()).toEqual([[]]);
  expect((await change(admin, person, 'customer', true)).body.user.roles).toEqual(['customer']);
  expect(await rolesOf()).toEqual([['customer']]);
  expect((await change(admin, person, 'admin', true)).body.user.roles).toEqual(['customer', 'admin']);
  expect((await change(admin, person, 'admin', false)).body.user.roles).toEqual(['customer']);
  expect((await change(person, person, 'coach', true)).status).toBe(403);
  expect(await rolesOf()).toEqual([['customer']]);
});

test('emails a person once when the coach or customer role is granted or revoked', async () => {
  const person = await app.signIn('customer');
  const subjects = async () => (await app.emailsTo(person.email)).map(({ subject }) => subject);
  const received = (subject: string) =>
    eventually(async () => (await app.emailsTo(person.email)).find((email) => email.subject === subject));
  const { fullName } = (await app.call(admin, accountsApi.getProfile, {})).body.profile!;
  await change(admin, person, 'coach', true);
  const given = await received(`You are now a coach at ${defaultBrand}`);
  expect(given.text).toContain(`${fullName} gave you the coach role`);
  await change(admin, person, 'coach', true);
  await change(admin, person, 'coach', false);
  await change(admin, person, 'coach', false);
  const taken = await received(`You are no longer a coach at ${defaultBrand}`);
  expect(taken.text).toContain(`${app.config.publicUrl}/coach/earnings`);
  await change(admin, person, 'customer', false);
  const lost = await received(`You are no longer a customer at ${defaultBrand}`);
  expect(lost.text).toContain(`${app.config.publicUrl}/customer/my-bookings`);
  await change(admin, person, 'customer', true);
  await received(`You are now a customer at ${defaultBrand}`);
  expect((await subjects()).sort()).toEqual([
    `You are no longer a coach at ${defaultBrand}`,
    `You are no longer a customer at ${defaultBrand}`,
    `You are now a coach at ${defaultBrand}`,
    `You are now a customer at ${defaultBrand}`,
  ]);
});

test('keeps the coach role until the admin confirms the booked lessons', async () => {
  const slotId = await club.publish();
  const open = await club.publish();
  await club.bookUntilDecided(await club.join(), slotId);
  const refused = await change(admin, club.coach, 'coach', false);
  expect(refused.status).toBe(409);
  expect(refused.error?.details).toEqual({ lessonsAhead: 1, refundCents: 0, business: null });
  expect(await isDiscovered(open)).toBe(true);
  expect((await app.call(club.coach, catalogueApi.listTemplates, {})).status).toBe(200);

  const taken = await change(admin, club.coach, 'coach', false, 1);
  expect(taken.status).toBe(200);
  expect(taken.body.user.roles).toEqual(['customer']);
  await expect.poll(() => isDiscovered(open)).toBe(false);
  expect(await club.readSlot(slotId)).toMatchObject({ status: 'scheduled', bookedCount: 1 });
  expect((await club.readBookings(slotId)).map(({ status }) => status)).toEqual(['booked']);

  await change(admin, club.coach, 'coach', true);
  await expect.poll(() => isDiscovered(open)).toBe(true);
});

test('keeps the customer role until the admin confirms lessons and refunds [ROLE-8]', async () => {
  const customer = await club.join();
  const take = (expectedLessons = 0, expectedRefundCents = 0) =>
    app.call(admin, adminApi.changeRole, {
      ...{ userId: customer.userId, role: 'customer', isHeld: false, expectedLessons, expectedRefundCents },
    });
  const slotId = await club.publish();
  const { bookingId } = (await club.bookUntilDecided(customer, slotId)).body;
  const booked = await take();
  expect(booked.status).toBe(409);
  expect(booked.error?.message).toContain('This customer still has 1 booked lesson.');
  expect(booked.error?.details).toEqual({ lessonsAhead: 1, refundCents: 0, business: null });

  // A failed refund is still owed.
  const { paymentId } = (await club.readBookings(slotId))[0]!;
  const reason = 'customer_cancelled' as const;
  const { refundId } = await app.db
    .insertInto('refunds')
    .values({ paymentId, amountCents: 1200, reason, status: 'failed', givenUpAt: new Date().toISOString() })
    .returning('refundId')
    .executeTakeFirstOrThrow();
  const owed = await take(1);
  expect(owed.error?.message).toContain('Refunds of £12.00 to this customer are still outstanding.');
  expect(owed.error?.details).toEqual({ lessonsAhead: 1, refundCents: 1200, business: null });
  expect((await app.call(customer, accountsApi.getProfile, {})).body.profile?.roles).toEqual(['customer']);
  const isOnItsWay = { status: 'pending', givenUpAt: null } as const;
  await app.db.updateTable('refunds').set(isOnItsWay).where('refundId', '=', refundId).execute();
  const pending = await take(1);
  expect([pending.status, pending.error?.details]).toEqual([409, owed.error?.details]);
  await app.db.deleteFrom('refunds').where('refundId', '=', refundId).execute();

  const taken = await take(1);
  expect(taken.body.user.roles).toEqual([]);
  expect((await app.call(customer, bookingsApi.getMine, { bookingId })).body.booking.status).toBe('booked');
  const unasked = await change(admin, await club.join(), 'customer', false);
  expect([unasked.status, unasked.body.user.roles]).toEqual([200, []]);
});

describe('a business whose owner loses the coach role', () => {
  const found = async (owner: Someone, businessName: string) =>
    (await app.call(owner, businessesApi.saveBusiness, { businessName })).body.business;
  const join = async (businessId: string, ...members: Someone[]) => {
    for (const { userId } of members) {
      await app.db.updateTable('coaches').set({ businessId }).where('coachId', '=', userId).execute();
    }
  };
  const take = (coach: Someone, successorId?: string | null) =>
    app.call(admin, adminApi.changeRole, {
      ...{ userId: coach.userId, role: 'coach', isHeld: false },
      ...(successorId !== undefined && { successorId }),
    });
  const readTeam = async (who: Someone) => (await app.call(who, businessesApi.listTeam, {})).body.team;
  const ownersOf = async (who: Someone) =>
    (await readTeam(who))?.members
      .filter(({ businessRole, isActive }) => businessRole === 'owner' && isActive)
      .map(({ coachId }) => coachId);

  test('passes to the chosen member and is shared if the former owner returns', async () => {
    const [owner, first, second, gone] = [
      await app.signIn('coach'),
      await app.signIn('coach'),
      await app.signIn('coach'),
      await app.signIn('coach'),
    ];
    const { businessId } = await found(owner, 'Riverside Rackets');
    await join(businessId, first, second, gone);
    await change(admin, gone, 'coach', false);

    const asked = await take(owner);
    expect(asked.status).toBe(409);
    expect(asked.error?.message).toContain('the only owner of Riverside Rackets');
    expect(asked.error?.details).toEqual({
      lessonsAhead: 0,
      refundCents: 0,
      business: {
        businessName: 'Riverside Rackets',
        successors: [first, second].map(({ userId }) => ({ coachId: userId, fullName: expect.any(String) })),
      },
    });
    // The admin must name a successor, who can be neither a former coach nor someone outside the team. A refusal
    // changes nothing.
    for (const nobody of [null, gone.userId, admin.userId]) {
      expect((await take(owner, nobody)).status).toBe(409);
    }
    expect(await ownersOf(owner)).toEqual([owner.userId]);

    expect((await take(owner, second.userId)).status).toBe(200);
    expect(await ownersOf(first)).toEqual([second.userId]);
    const business = (await app.call(second, businessesApi.getBusiness, {})).body;
    expect(business).toMatchObject({ businessRole: 'owner', business: { businessId } });
    const received = await eventually(async () => (await app.emailsTo(second.email))[0]);
    expect(received.subject).toBe('You have taken over Riverside Rackets');

    await change(admin, owner, 'coach', true);
    expect(await ownersOf(first)).toEqual([owner.userId, second.userId]);
    // With another owner in the team, revoking the role needs no confirmation.
    expect((await take(owner)).status).toBe(200);
    expect((await change(admin, second, 'coach', false)).status).toBe(409);
  });

  test('is suspended without a successor and resumes when the role is granted again', async () => {
    const [owner, invited] = [await app.signIn('coach'), await app.signIn('coach')];
    await found(owner, 'One Man Band');
    await app.call(owner, invitationsApi.inviteCoach, { email: invited.email });
    const received = await eventually(async () => (await app.emailsTo(invited.email))[0]);
    const token = new URL(/https?:\/\/\S+/.exec(received.text)![0]).searchParams.get('token')!;
    expect((await take(owner)).error?.details).toEqual({
      lessonsAhead: 0,
      refundCents: 0,
      business: { businessName: 'One Man Band', successors: [] },
    });
    expect((await take(owner, null)).status).toBe(200);
    const answer = await app.call(invited, invitationsApi.acceptInvitation, { token });
    expect(answer.error?.message).toMatch(/was withdrawn/);

    await change(admin, owner, 'coach', true);
    expect(await readTeam(owner)).toMatchObject({ businessName: 'One Man Band', invitations: [] });
    expect(await ownersOf(owner)).toEqual([owner.userId]);
  });

  test('keeps one owner when two owners lose the role simultaneously', async () => {
    const [one, two, member] = [
      await app.signIn('coach'),
      await app.signIn('coach'),
      await app.signIn('coach'),
    ];
    const { businessId } = await found(one, 'Both At Once');
    await join(businessId, two, member);
    await app.call(one, businessesApi.changeBusinessRole, { coachId: two.userId, businessRole: 'owner' });
    const answers = await Promise.all([take(one), take(two)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await ownersOf(member)).toHaveLength(1);
  });
});

test('keeps the last admin and audits the roles before and after each change [ROLE-6a, ROLE-6b]', async () => {
  const last = await change(admin, admin, 'admin', false);
  expect(last.status).toBe(409);
  expect(last.error?.message).toBe('This is the last admin. Make someone else an admin first.');
  const deleted = await app.call(admin, ownAccountApi.deleteAccount, {});
  expect([deleted.status, deleted.error?.message]).toEqual([
    409,
    "You're the last admin. Make someone else an admin first.",
  ]);

  const other = await app.signIn('customer');
  await change(admin, other, 'admin', true);
  expect((await change(other, admin, 'admin', false)).status).toBe(200);
  expect((await change(admin, other, 'admin', false)).status).toBe(403);
  expect((await change(other, admin, 'admin', true)).status).toBe(200);

  const { body } = await app.call(admin, adminApi.listAudit, { search: other.email, kind: 'people' });
  const person = ({ userId, email }: Someone) => expect.objectContaining({ userId, email });
  expect(
    body.entries.map(({ actor, subject, action, before, after }) => ({
      actor,
      subject,
      action,
      before,
      after,
    })),
  ).toEqual([
    {
      actor: person(other),
      subject: person(admin),
      action: 'role.granted',
      before: { roles: [] },
      after: { roles: ['admin'] },
    },
    {
      actor: person(other),
      subject: person(admin),
      action: 'role.revoked',
      before: { roles: ['admin'] },
      after: { roles: [] },
    },
    {
      actor: person(admin),
      subject: person(other),
      action: 'role.granted',
      before: { roles: ['customer'] },
      after: { roles: ['customer', 'admin'] },
    },
  ]);
  expect(Math.abs(Date.parse(body.entries[0]!.at) - Date.now())).toBeLessThan(60_000);
});

test('lets only admins change roles, and only those of existing people [ROLE-4]', async () => {
  const person = await app.signIn('customer', 'coach');
  expect((await change(person, person, 'admin', true)).status).toBe(403);
  expect((await change(null, person, 'admin', true)).status).toBe(401);
  const nobody = { ...person, userId: '00000000-0000-4000-8000-000000000000' };
  expect((await change(admin, nobody, 'admin', true)).status).toBe(404);
  const { body } = await app.call(admin, adminApi.listUsers, { search: person.email });
  expect(body.users.map(({ roles }) => roles)).toEqual([['customer', 'coach']]);
});
