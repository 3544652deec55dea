import { describe, expect, test } from 'vitest';
import { countingDateOf, refuseAge, refuseAgeRange } from './ages.ts';

describe('the date on which the age counts', () => {
  test('is the London date of the lesson [PART-9a]', () => {
    expect(countingDateOf('day', '2027-05-27T23:30:00Z')).toBe('2027-05-28');
    expect(countingDateOf('day', '2027-11-27T23:30:00Z')).toBe('2027-11-27');
  });

  test('is the 31 August before the season, which begins on 1 September [PART-9a]', () => {
    expect(countingDateOf('aug31', '2026-09-01T09:00:00Z')).toBe('2026-08-31');
    expect(countingDateOf('aug31', '2027-03-06T09:00:00Z')).toBe('2026-08-31');
    expect(countingDateOf('aug31', '2027-08-31T09:00:00Z')).toBe('2026-08-31');
    expect(countingDateOf('aug31', '2027-08-31T23:30:00Z')).toBe('2027-08-31');
  });

  test("is 31 December of the lesson's year [PART-9a]", () => {
    expect(countingDateOf('dec31', '2027-01-02T09:00:00Z')).toBe('2027-12-31');
  });
});

describe('a lesson for ages 8 to 12', () => {
  const lesson = { minAge: 8, maxAge: 12, ageDate: 'day' as const, startTime: '2027-03-01T09:00:00Z' };
  const mia = { name: 'Mia', kind: 'dependant' as const, dateOfBirth: '2019-03-01' };

  test('admits a child from the eighth birthday to the day before the thirteenth [PART-9b]', () => {
    expect(refuseAge(mia, lesson)).toBeNull();
    expect(refuseAge({ ...mia, dateOfBirth: '2019-03-02' }, lesson)?.message).toBe(
      'This lesson is for ages 8 to 12, and Mia is 7 on the day. The coach may make an exception.',
    );
    expect(refuseAge({ ...mia, dateOfBirth: '2014-03-02' }, lesson)).toBeNull();
    expect(refuseAge({ ...mia, dateOfBirth: '2014-03-01' }, lesson)?.code).toBe('age_range');
  });

  test('counts a birthday on 29 February as 1 March in non-leap years [PART-9b]', () => {
    const leap = { ...mia, dateOfBirth: '2020-02-29' };
    const forSevens = { ...lesson, minAge: 7 };
    expect(refuseAge(leap, { ...forSevens, startTime: '2027-02-28T09:00:00Z' })).not.toBeNull();
    expect(refuseAge(leap, { ...forSevens, startTime: '2027-03-01T09:00:00Z' })).toBeNull();
    expect(refuseAge(leap, { ...lesson, startTime: '2028-02-28T09:00:00Z' })).not.toBeNull();
    expect(refuseAge(leap, { ...lesson, startTime: '2028-02-29T09:00:00Z' })).toBeNull();
    expect(
      refuseAge({ ...leap, dateOfBirth: '2019-02-28' }, { ...lesson, startTime: '2027-02-28T09:00:00Z' }),
    ).toBeNull();
  });

  test('asks for a missing date of birth', () => {
    expect(refuseAge({ ...mia, dateOfBirth: null }, lesson)?.message).toContain("add Mia's date of birth");
    const self = { name: 'Alex', kind: 'self' as const, dateOfBirth: null };
    expect(refuseAge(self, lesson)?.message).toContain('add your date of birth');
    expect(refuseAge(self, { ...lesson, minAge: null, maxAge: null })).toBeNull();
  });

  test('counts the age on 31 December if the template says so', () => {
    const late = { ...mia, dateOfBirth: '2019-12-31' };
    expect(refuseAge(late, lesson)).not.toBeNull();
    expect(refuseAge(late, { ...lesson, ageDate: 'dec31' })).toBeNull();
  });
});

test('refuses a youngest age above the oldest', () => {
  expect(refuseAgeRange({ minAge: 9, maxAge: 8 })?.fields).toHaveProperty('minAge');
  expect(refuseAgeRange({ minAge: 8, maxAge: 8 })).toBeNull();
});
