import { expect, test } from 'vitest';
import { type DiscoverFilters, discoverApi } from '#domain/discover/contract.ts';
import { addDays, wallTimeOf } from '#domain/time.ts';
import { setUpTestApp } from '#server/test-support/test-app.test-support.ts';

const app = setUpTestApp();
const today = wallTimeOf(Date.now()).date;

test('refuses invalid filters and names them, but accepts any characters in a search', async () => {
  const refused: [Record<string, unknown>, string][] = [
    [{ sort: 'cheapest' }, 'sort'],
    [{ type: 'duo' }, 'type'],
    [{ sport: 'quidditch' }, 'sport'],
    [{ coachId: 'me' }, 'coachId'],
    [{ from: '2027-13-01' }, 'from'],
    [{ from: addDays(today, 5), to: addDays(today, 4) }, 'to'],
    [{ born: '2016-13' }, 'born'],
    [{ born: '2016-05-28' }, 'born'],
    [{ limit: 0 }, 'limit'],
    [{ limit: 51 }, 'limit'],
    [{ limit: 'all' }, 'limit'],
    [{ search: 'x'.repeat(101) }, 'search'],
  ];
  for (const [filters, field] of refused) {
    const { status, error } = await app.call(null, discoverApi.discoverSlots, filters as DiscoverFilters);
    expect([status, Object.keys(error?.fields ?? {})]).toEqual([422, [field]]);
  }
  for (const search of [
    "'",
    '"',
    '" or',
    '!',
    ':*',
    '&',
    '\\',
    '%',
    '_',
    'a:b & !c',
    '(((',
    'the',
    '😀',
    "o'neil",
  ]) {
    const { status } = await app.call(null, discoverApi.discoverSlots, { search });
    expect([search, status]).toEqual([search, 200]);
  }
});
