import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountsApi } from '#domain/accounts/contract.ts';
import { catalogueApi } from '#domain/catalogue/contract.ts';
import { type Club, openClub } from '#server/bookings/club.test-support.ts';
import { type Someone, startTestApp, type TestApp } from '#server/test-app.test-support.ts';

let app: TestApp;
let club: Club;
let admin: Someone;
beforeAll(async () => {
  app = await startTestApp();
  club = await openClub(app);
  admin = await app.signIn('admin');
});
afterAll(() => app.stop());

const change = (
  who: Someone | null,
  { userId }: Someone,
  role: 'customer' | 'coach' | 'admin',
  isHeld: boolean,
  expectedLessons?: number,
) => app.call(who, accountsApi.changeRole, { userId, role, isHeld, expectedLessons });

const isDiscovered = async (slotId: string) => {
  const { body } = await app.call(null, catalogueApi.discoverSlots, { limit: 50 });
  return body.slots.some((slot) => slot.slotId === slotId);
};

test('[ADM-2] an admin switches roles on and off; a coach begins with the role', async () => {
  const person = await app.signIn('customer');
  const given = await change(admin, person, 'coach', true);
  expect(given.status).toBe(200);
  expect(given.body.user).toMatchObject({ userId: person.userId, roles: ['customer', 'coach'] });
  expect((await app.call(person, catalogueApi.listTemplates, {})).status).toBe(200);
  expect((await change(admin, person, 'customer', false)).body.user.roles).toEqual(['coach']);
  expect((await change(admin, person, 'coach', false)).body.user.roles).toEqual([]);
  expect((await app.call(person, catalogueApi.listTemplates, {})).status).toBe(403);
  // Said twice, it is still so, and nothing happened the second time.
  expect((await change(admin, person, 'coach', false)).status).toBe(200);
});

test('a coach with booked lessons ahead keeps the role until the admin knows of them, and the lessons stay', async () => {
  const slotId = await club.publish();
  const open = await club.publish();
  await club.bookUntilDecided(await club.join(), slotId);
  const refused = await change(admin, club.coach, 'coach', false);
  expect(refused.status).toBe(409);
  expect(refused.error?.details).toEqual({ lessonsAhead: 1 });
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

test('[ROLE-6] the last admin keeps the role; each change is in the audit log with who, when, before and after', async () => {
  const last = await change(admin, admin, 'admin', false);
  expect(last.status).toBe(409);
  expect(last.error?.message).toBe('This is the last admin. Make somebody else an admin first.');

  const other = await app.signIn('customer');
  await change(admin, other, 'admin', true);
  expect((await change(other, admin, 'admin', false)).status).toBe(200);
  expect((await change(admin, other, 'admin', false)).status).toBe(403);
  expect((await change(other, admin, 'admin', true)).status).toBe(200);

  const { body } = await app.call(admin, accountsApi.listAudit, { search: other.email, kind: 'people' });
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

test('[ROLE-4] roles are changed by admins alone, and nobody’s that does not exist', async () => {
  const person = await app.signIn('customer', 'coach');
  expect((await change(person, person, 'admin', true)).status).toBe(403);
  expect((await change(null, person, 'admin', true)).status).toBe(401);
  const nobody = { ...person, userId: '00000000-0000-4000-8000-000000000000' };
  expect((await change(admin, nobody, 'admin', true)).status).toBe(404);
  const { body } = await app.call(admin, accountsApi.listUsers, { search: person.email });
  expect(body.users.map(({ roles }) => roles)).toEqual([['customer', 'coach']]);
});
