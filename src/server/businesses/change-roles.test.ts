import { beforeEach, describe, expect, test } from 'vitest';
import type { Person, Role } from '#domain/access.ts';
import { createAuthenticate } from '#server/auth/authenticate.ts';
import { password, setUpAccountsServer } from '#server/test-support/accounts-server.test-support.ts';
import { createUser } from '../accounts/create-user.ts';
import { grantRole, revokeRole } from './change-roles.ts';

const operator = { system: 'test' };
let people = 0;

const server = setUpAccountsServer();
beforeEach(async () => {
  await server.db
    .updateTable('profiles')
    .set({ roles: ['customer'] })
    .execute();
});

async function createPerson(...roles: Role[]): Promise<Person & { email: string }> {
  people += 1;
  const email = `person-${people}@roles.example`;
  const { userId } = await createUser({
    ...{ db: server.db, email, password, roles },
    ...{ fullName: `Person ${people}`, isConfirmed: true },
  });
  return { userId, roles, sessionId: 'of the test', email };
}

const rolesOf = async (userId: string) =>
  (await server.db.selectFrom('profiles').select('roles').where('userId', '=', userId).executeTakeFirst())
    ?.roles;
const coachOf = (userId: string) =>
  server.db.selectFrom('coaches').selectAll().where('coachId', '=', userId).executeTakeFirst();
const auditOf = (userId: string) =>
  server.db
    .selectFrom('auditLog')
    .select(['action', 'actorUserId', 'actorSystem', 'before', 'after'])
    .where('subjectId', '=', userId)
    .orderBy('auditId')
    .execute();

describe('changing roles', () => {
  test('audits each role change with the actor and the roles before and after [ROLE-6b]', async () => {
    const [admin, person] = [await createPerson('admin'), await createPerson('customer')];
    expect(await grantRole(server.db, admin, person.userId, 'coach')).toBe(true);
    expect(await grantRole(server.db, admin, person.userId, 'coach')).toBe(false);
    expect(await rolesOf(person.userId)).toEqual(['customer', 'coach']);
    expect(await revokeRole(server.db, admin, person.userId, 'customer')).toBe(true);
    expect(await rolesOf(person.userId)).toEqual(['coach']);
    const by = { actorUserId: admin.userId, actorSystem: null };
    expect(await auditOf(person.userId)).toEqual([
      {
        ...by,
        action: 'role.granted',
        before: { roles: ['customer'] },
        after: { roles: ['customer', 'coach'] },
      },
      {
        ...by,
        action: 'role.revoked',
        before: { roles: ['customer', 'coach'] },
        after: { roles: ['coach'] },
      },
    ]);
  });

  test('deactivates a coach who loses the role, and reactivates one who regains it', async () => {
    const person = await createPerson('customer');
    await grantRole(server.db, operator, person.userId, 'coach');
    expect(await coachOf(person.userId)).toMatchObject({ isActive: true });
    await server.db.updateTable('coaches').set({ bio: 'Twenty years of tennis' }).execute();
    await revokeRole(server.db, operator, person.userId, 'coach');
    expect(await coachOf(person.userId)).toMatchObject({ isActive: false, bio: 'Twenty years of tennis' });
    await grantRole(server.db, operator, person.userId, 'coach');
    expect(await coachOf(person.userId)).toMatchObject({ isActive: true, bio: 'Twenty years of tennis' });
  });

  test("keeps the last admin, even when two admins revoke each other's role [ROLE-6a]", async () => {
    const [one, two] = [await createPerson('admin'), await createPerson('admin')];
    const outcomes = await Promise.allSettled([
      revokeRole(server.db, one, two.userId, 'admin'),
      revokeRole(server.db, two, one.userId, 'admin'),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const left = (await rolesOf(one.userId))?.includes('admin') ? one : two;
    await expect(revokeRole(server.db, left, left.userId, 'admin')).rejects.toMatchObject({
      code: 'conflict',
    });
    await expect(revokeRole(server.db, operator, left.userId, 'admin')).rejects.toThrow(/last admin/);
    expect(await rolesOf(left.userId)).toContain('admin');
  });

  test('lets only current admins change roles', async () => {
    const [admin, coach] = [await createPerson('admin'), await createPerson('coach')];
    await createPerson('admin');
    await expect(grantRole(server.db, coach, coach.userId, 'admin')).rejects.toMatchObject({
      code: 'forbidden',
    });
    await revokeRole(server.db, operator, admin.userId, 'admin');
    await expect(grantRole(server.db, admin, coach.userId, 'admin')).rejects.toMatchObject({
      code: 'forbidden',
    });
    expect(await rolesOf(coach.userId)).toEqual(['coach']);
    const nobody = '00000000-0000-4000-8000-000000000000';
    await expect(grantRole(server.db, operator, nobody, 'coach')).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test('applies a role change to the next request', async () => {
    const person = await createPerson('customer');
    const { data } = await server.client().signInWithPassword({ email: person.email, password });
    const authenticate = createAuthenticate(server.db, server.config);
    const readRoles = async () => (await authenticate(`Bearer ${data.session!.access_token}`))?.roles;
    expect(await readRoles()).toEqual(['customer']);
    await grantRole(server.db, operator, person.userId, 'coach');
    expect(await readRoles()).toEqual(['customer', 'coach']);
    await revokeRole(server.db, operator, person.userId, 'coach');
    expect(await readRoles()).toEqual(['customer']);
  });
});
