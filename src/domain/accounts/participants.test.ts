import { describe, expect, test } from 'vitest';
import {
  ageOn,
  dateOfBirth,
  nameParticipant,
  refuseDateOfBirth,
  refuseDeleteParticipant,
  refuseLeave,
  refuseMoreDependants,
} from './participants.ts';

describe('an age on a date', () => {
  test('is the number of birthdays by that date', () => {
    expect(ageOn('2016-05-28', '2026-05-27')).toBe(9);
    expect(ageOn('2016-05-28', '2026-05-28')).toBe(10);
    expect(ageOn('2026-05-28', '2026-11-23')).toBe(0);
  });

  test('of someone born on 29 February rises on 1 March, except in a leap year', () => {
    expect(ageOn('2016-02-29', '2027-02-28')).toBe(10);
    expect(ageOn('2016-02-29', '2027-03-01')).toBe(11);
    expect(ageOn('2016-02-29', '2028-02-28')).toBe(11);
    expect(ageOn('2016-02-29', '2028-02-29')).toBe(12);
  });
});

test('accepts dates of birth that exist, from 1900 until today', () => {
  expect(dateOfBirth.safeParse('2016-02-29').success).toBe(true);
  expect(dateOfBirth.safeParse('2015-02-29').success).toBe(false);
  expect(dateOfBirth.safeParse('1899-12-31').success).toBe(false);
  expect(refuseDateOfBirth('2026-11-23', '2026-11-23')).toBeNull();
  expect(refuseDateOfBirth('2026-11-24', '2026-11-23')?.fields).toHaveProperty('dateOfBirth');
});

test('allows ten people, including the account holder', () => {
  expect(refuseMoreDependants(8)).toBeNull();
  expect(refuseMoreDependants(9)?.message).toBe('You can book for up to 10 people, including yourself.');
});

test('calls a participant by the name they go by', () => {
  expect(nameParticipant({ fullName: 'Mia Morgan', knownAs: 'Mia' })).toBe('Mia');
  expect(nameParticipant({ fullName: 'Mia Morgan', knownAs: null })).toBe('Mia Morgan');
});

describe('a guardian', () => {
  const mia = { name: 'Mia', guardians: 1, upcomingLessons: 0 };

  test('may leave unless they are the last', () => {
    expect(refuseLeave({ ...mia, guardians: 2, upcomingLessons: 3 })).toBeNull();
    expect(refuseLeave(mia)?.message).toContain('delete Mia');
    expect(refuseLeave({ ...mia, upcomingLessons: 1 })?.message).toContain('Mia has 1 upcoming lesson,');
  });

  test('may delete a dependant who has no upcoming lessons and no other guardian', () => {
    expect(refuseDeleteParticipant(mia)).toBeNull();
    expect(refuseDeleteParticipant({ ...mia, guardians: 2 })?.message).toContain('You can leave instead.');
    expect(refuseDeleteParticipant({ ...mia, upcomingLessons: 2 })?.message).toContain('2 upcoming lessons');
  });
});
