import { expect, test } from 'vitest';
import type { OpenSlot } from '#domain/catalogue/slots-contract.ts';
import { stillMatches } from './still-matches.ts';

const leeds = {
  locationId: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  name: 'Roundhay Park courts',
  address: 'Street Lane',
  city: 'Leeds',
  postcode: 'LS8 1JL',
};
const york = { ...leeds, name: 'Rowntree Park', city: 'York', postcode: 'YO23 1JQ' };
const listed: OpenSlot = {
  slotId: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  coachId: '550e8400-e29b-41d4-a716-446655440000',
  coachName: 'Lena',
  coachAddress: null,
  coachAvatarUrl: null,
  title: 'Tennis basics',
  description: 'For beginners',
  sport: 'tennis',
  lessonType: 'group',
  maxCapacity: 8,
  bookedCount: 0,
  priceCents: 3000,
  startTime: '2027-06-10T09:00:00Z',
  endTime: '2027-06-10T10:00:00Z',
  status: 'scheduled',
  location: leeds,
  ...{ minAge: null, maxAge: null, ageDate: 'day' },
};
const under9 = { minAge: 8, maxAge: 8 };

test.each([
  // The filters apply to the London date. In June, London is an hour ahead of UTC.
  [{ from: '2027-06-11' }, { startTime: '2027-06-10T22:30:00Z' }, false],
  [{ from: '2027-06-11' }, { startTime: '2027-06-10T23:30:00Z' }, true],
  [{ to: '2027-06-10' }, { startTime: '2027-06-10T22:30:00Z' }, true],
  [{ to: '2027-06-10' }, { startTime: '2027-06-10T23:30:00Z' }, false],
  [{ location: 'leeds' }, { location: york }, false],
  [{ location: 'yo' }, { location: york }, true],
  [{ location: 'YO23' }, { location: york }, true],
  [{ location: 'ls8' }, { location: null }, false],
  [{ search: 'tennis roundhay' }, { location: york }, false],
  [{ search: 'tennis park' }, { location: york }, true],
  // The server found this lesson by the word's stem: the lesson's text never contained the word itself.
  [{ search: 'beginning' }, { location: york }, true],
  // Born in June 2018: 8 until the month of the ninth birthday.
  [{ born: '2018-06' }, { ...under9, startTime: '2027-05-31T22:30:00Z' }, true],
  [{ born: '2018-06' }, { ...under9, startTime: '2027-05-31T23:30:00Z' }, false],
  [{ born: '2018-06' }, { startTime: '2028-06-10T09:00:00Z' }, true],
  [{ sport: 'tennis' }, { location: york }, true],
  [{ sport: 'tennis' }, { sport: 'golf' }, false],
  [{}, { startTime: '2028-01-01T09:00:00Z', location: null }, true],
] as const)('decides whether a moved lesson matches the filters %o: %o', (filters, change, expected) => {
  expect(stillMatches({ ...listed, ...change }, listed, filters)).toBe(expected);
});
