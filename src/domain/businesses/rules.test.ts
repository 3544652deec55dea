import { describe, expect, test } from 'vitest';
import {
  businessInput,
  coachProfileInput,
  planDeparture,
  refuseAnswer,
  refuseBecomeOwner,
  refuseJoin,
  refuseManageMember,
} from './rules.ts';

const owner = { coachId: 'owner', businessRole: 'owner', isActive: true } as const;
const other = { coachId: 'other', businessRole: 'owner', isActive: true } as const;
const hidden = { coachId: 'hidden', businessRole: 'owner', isActive: false } as const;
const employee = { coachId: 'employee', businessRole: 'employee', isActive: true } as const;

describe('the rules of a team', () => {
  const members = [owner, other, employee];
  test('let owners manage other members, but not themselves or outsiders', () => {
    expect(refuseManageMember(owner, members, 'employee')).toBeNull();
    expect(refuseManageMember(owner, members, 'other')).toBeNull();
    expect(refuseManageMember(owner, members, 'owner')?.code).toBe('conflict');
    expect(refuseManageMember(owner, members, 'stranger')?.code).toBe('not_found');
  });

  test('stop employees and former coaches from managing, and former coaches from owning', () => {
    expect(refuseManageMember(employee, members, 'owner')?.code).toBe('forbidden');
    expect(refuseManageMember(hidden, [...members, hidden], 'employee')?.code).toBe('forbidden');
    expect(refuseBecomeOwner(hidden)?.code).toBe('conflict');
    expect(refuseBecomeOwner(employee)).toBeNull();
  });
});

test("transfers a departing owner's business to another active owner, or ends it", () => {
  expect(planDeparture(employee, [owner, employee])).toEqual({ outcome: 'stays' });
  expect(planDeparture(owner, [owner, hidden, other])).toEqual({ outcome: 'transfers', successor: other });
  expect(planDeparture(owner, [owner, hidden, employee])).toEqual({ outcome: 'ends' });
});

test('accepts one response by the invited person before the invitation expires', () => {
  const invitation = { email: 'coach@test.example', status: 'pending', isExpired: false } as const;
  expect(refuseAnswer(invitation, { email: 'coach@test.example' })).toBeNull();
  expect(refuseAnswer(invitation, { email: 'thief@test.example' })?.code).toBe('forbidden');
  expect(refuseAnswer(invitation, null)?.code).toBe('unauthenticated');
  expect(refuseAnswer({ ...invitation, isExpired: true }, { email: invitation.email })?.code).toBe(
    'conflict',
  );
  for (const status of ['accepted', 'declined', 'withdrawn'] as const) {
    expect(refuseAnswer({ ...invitation, status }, { email: invitation.email })?.code).toBe('conflict');
  }
  expect(refuseJoin({ isActive: true, businessId: null })).toBeNull();
  expect(refuseJoin({ isActive: true, businessId: 'another' })?.code).toBe('conflict');
  expect(refuseJoin({ isActive: false, businessId: null })?.code).toBe('forbidden');
});

test('reads missing fields as null and removes blanks and duplicates from lists', () => {
  const business = businessInput.parse({
    businessName: ' Park Coaching ',
    businessEmail: ' Hello@Park.Example ',
  });
  expect(business).toMatchObject({
    businessName: 'Park Coaching',
    businessEmail: 'hello@park.example',
    taxId: null,
  });
  expect(businessInput.safeParse({ businessName: '  ' }).success).toBe(false);
  const profile = coachProfileInput.parse({
    towns: ['Leeds', ' Leeds ', '', 'York'],
    sports: ['yoga', 'tennis'],
  });
  expect(profile.towns).toEqual(['Leeds', 'York']);
  expect(coachProfileInput.safeParse({ hourlyRateCents: 10.5 }).success).toBe(false);
});
