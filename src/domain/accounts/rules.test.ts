import { describe, expect, test } from 'vitest';
import { changeRoles, newProfileOf, refuseRevokeRole } from './rules.ts';

describe('a new profile', () => {
  test('has the name from sign-up, or else the email address, and the customer role [AUTH-4]', () => {
    expect(newProfileOf({ email: 'kim@club.example', fullName: 'Kim Vale' })).toEqual({
      email: 'kim@club.example',
      fullName: 'Kim Vale',
      roles: ['customer'],
    });
    const email = 'kim@club.example';
    expect(newProfileOf({ email, fullName: null })).toEqual({ email, fullName: email, roles: ['customer'] });
    expect(newProfileOf({ email: null, fullName: 'Kim Vale' })).toEqual({
      ...{ email: 'Unknown', fullName: 'Kim Vale', roles: ['customer'] },
    });
    expect(newProfileOf({ email: null, fullName: null })).toEqual({
      ...{ email: 'Unknown', fullName: 'Unknown', roles: ['customer'] },
    });
  });
});

describe('a change of roles', () => {
  test('adds and removes one role without duplicates [ROLE-1]', () => {
    expect(changeRoles(['customer'], { add: 'coach' })).toEqual(['customer', 'coach']);
    expect(changeRoles(['customer', 'coach'], { add: 'coach' })).toEqual(['customer', 'coach']);
    expect(changeRoles(['customer', 'coach', 'admin'], { remove: 'coach' })).toEqual(['customer', 'admin']);
    expect(changeRoles([], { remove: 'coach' })).toEqual([]);
  });

  test("is refused only if it revokes the last admin's admin role", () => {
    expect(refuseRevokeRole('admin', ['a'], 'a')?.code).toBe('conflict');
    expect(refuseRevokeRole('admin', ['a', 'b'], 'a')).toBeNull();
    expect(refuseRevokeRole('admin', ['b'], 'a')).toBeNull();
    expect(refuseRevokeRole('coach', ['a'], 'a')).toBeNull();
  });
});
