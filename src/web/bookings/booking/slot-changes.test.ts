import { expect, test } from 'vitest';
import { describeSlotChanges } from './slot-changes.ts';

const now = Date.parse('2027-03-01T12:00:00Z');
const location = { name: 'Roundhay Park', address: '14 Park Road', city: 'Leeds', postcode: 'LS8 1ER' };
const seen = {
  startTime: '2027-03-06T09:00:00Z',
  endTime: '2027-03-06T10:00:00Z',
  location: { ...location, locationId: '0b5b6a50-7c11-4cf7-9a52-6f0b7a3d9c41' },
  priceCents: 4500,
};

test('names the previous time, location and price of a lesson that changes in the dialog', () => {
  expect(describeSlotChanges(seen, { ...seen }, now)).toEqual([]);
  expect(describeSlotChanges(seen, { ...seen, priceCents: 5000 }, now)).toEqual([
    'The coach has just changed the price of this lesson. Previous price: £45.00.',
  ]);
  const moved = { startTime: '2027-03-06T10:00:00Z', endTime: '2027-03-06T11:00:00Z' };
  const elsewhere = { ...seen.location, address: '1 Harbour Street' };
  expect(describeSlotChanges(seen, { ...seen, ...moved, location: elsewhere }, now)).toEqual([
    'The coach has just moved this lesson. Previous time: Sat 6 Mar, 09:00–10:00.',
    expect.stringMatching(/^The coach has just changed the location .+ Roundhay Park, 14 Park Road/),
  ]);
});
