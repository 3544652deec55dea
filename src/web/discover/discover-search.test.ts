import { expect, test } from 'vitest';
import { readDiscoverSearch } from './discover-search.ts';

test('reads the filters and the order from the URL', () => {
  const search = {
    search: 'serve',
    type: 'group',
    sort: 'price_low',
    sport: 'tennis',
    location: 'LS6',
    from: '2027-03-28',
    to: '2027-04-01',
    coachId: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  };
  expect(readDiscoverSearch(search)).toEqual(search);
});

test('keeps a search for a number as text', () => {
  expect(readDiscoverSearch({ search: 10 })).toEqual({ search: '10' });
});

test.each([
  { type: 'duo' },
  { sort: 'random' },
  { sport: 'quidditch' },
  { from: '2027-02-30' },
  { to: 'tomorrow' },
  { coachId: 'me' },
  { search: '   ' },
  { search: { nested: true } },
])('ignores an invalid parameter: %j', (raw) => {
  expect(readDiscoverSearch(raw)).toEqual({});
});
