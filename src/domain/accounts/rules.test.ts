import { describe, expect, test } from 'vitest';
import { changeRoles, newProfileOf, refuseRevokeRole } from './rules.ts';

describe('a new profile', () => {
  test('[AUTH-4] takes the name of the sign-up, else the address, and is a customer only', () => {
    expect(newProfileOf({ email: 'kim@club.example', fullName: 'Kim Vale' })).toEqual({
      email: 'kim@club.example',
      fullName: 'Kim Vale',
      roles: ['customer'],
    });
    expect(newProfileOf({ email: 'kim@club.example', fullName: null }).fullName).toBe('kim@club.example');
    expect(newProfileOf({ email: null, fullName: null }).email).toBe('Unknown');
  });
});

describe('roles', () => {
  test('[ROLE-1] are a list without doubles: one more, one less, the others kept', () => {
    expect(changeRoles(['customer'], { add: 'coach' })).toEqual(['customer', 'coach']);
    expect(changeRoles(['customer', 'coach'], { add: 'coach' })).toEqual(['customer', 'coach']);
    expect(changeRoles(['customer', 'coach', 'admin'], { remove: 'coach' })).toEqual(['customer', 'admin']);
    expect(changeRoles([], { remove: 'coach' })).toEqual([]);
  });

  test('only the last admin is held back, and only from losing that role', () => {
    expect(refuseRevokeRole('admin', ['a'], 'a')?.code).toBe('conflict');
    expect(refuseRevokeRole('admin', ['a', 'b'], 'a')).toBeNull();
    expect(refuseRevokeRole('admin', ['b'], 'a')).toBeNull();
    expect(refuseRevokeRole('coach', ['a'], 'a')).toBeNull();
  });
});
