import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { countedAge, isWithinAges } from '#domain/catalogue/ages.ts';
import { catalogueApi } from '#domain/catalogue/contract.ts';
import { lessonTypes } from '#domain/catalogue/lesson-types.ts';
import { type OpenSlot, slotsApi } from '#domain/catalogue/slots-contract.ts';
import { type DiscoverFilters, discoverApi, discoverFilters } from '#domain/discover/contract.ts';
import { slotSorts } from '#domain/discover/filters.ts';
import { addDays, wallTimeOf } from '#domain/time.ts';
import { nextDays } from '#server/test-support/catalogue.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { createDiscover } from './discover-slots.ts';
import { type Strategy, strategies } from './discover-sql.ts';
import { normaliseQuery } from './render-discover.tsx';

let coaches: Someone[];
/** Every slot of the club, open or not, as discover would show it, in no particular order. */
let club: (OpenSlot & { hiddenCoach: boolean })[];
const today = wallTimeOf(Date.now()).date;
const [tomorrow] = nextDays(1) as [string];

const locations = [
  { name: 'North Court', city: 'Leeds', postcode: 'LS6 3AA' },
  { name: 'South Court', city: 'Leeds', postcode: 'LS16 1AA' },
  { name: 'Wharf', city: 'London', postcode: 'W1A 1AA' },
  { name: 'Field', city: 'Newcastle upon Tyne', postcode: 'NE1 4XX' },
];
const lessons = [
  { title: 'Beginner tennis serve', description: 'Your first ace', sport: 'tennis', basePriceCents: 3000 },
  { title: 'Tennis doubles', description: 'Swimming in points', sport: 'tennis', basePriceCents: 2000 },
  {
    title: 'Front crawl',
    description: 'Swim faster with less effort',
    sport: 'swimming',
    basePriceCents: 2000,
  },
  { title: 'Lay-ups & 100% hoops', description: 'For beginners', sport: 'basketball', basePriceCents: 1000 },
] as const;

/** Age ranges of the lessons. One lesson in four is for everyone. */
const ages = [
  {},
  { minAge: 5, maxAge: 8 },
  { minAge: 9, ageDate: 'aug31' },
  { maxAge: 12, ageDate: 'dec31' },
] as const;

const app = setUpTestApp();
beforeAll(async () => {
  coaches = await Promise.all(Array.from({ length: 4 }, () => app.signIn('customer', 'coach')));
  for (const [c, fullName] of ['Tess Okafor', 'Ravi Bell', 'Will Marsh', 'Noor Haddad'].entries()) {
    await app.db.updateTable('profiles').set({ fullName }).where('userId', '=', coaches[c]!.userId).execute();
  }
  // The words of this location match all of this coach's templates, although no lesson is held there.
  await app.call(coaches[1]!, catalogueApi.createLocation, {
    ...{ name: 'Old Mill', address: '', city: 'Manchester', postcode: 'M1 1AE' },
  });
  // Full, cancelled and completed lessons are created below and must never be listed.
  for (const [c, coach] of coaches.entries()) {
    const location = await app.call(coach, catalogueApi.createLocation, locations[c]!);
    for (const [l, lesson] of lessons.entries()) {
      const isGroup = (c + l) % 2 === 0;
      const made = await app.call(coach, catalogueApi.createTemplate, {
        ...{ ...lesson, ...ages[(c + l) % 4] },
        durationMinutes: 60,
        lessonType: isGroup ? 'group' : 'individual',
        minCapacity: 2,
        maxCapacity: 4,
      });
      const { templateId } = made.body.template;
      const plan = {
        templateId,
        mode: 'weekly' as const,
        startDate: tomorrow,
        weekdays: [1, 2, 3, 4, 5, 6, 7],
      };
      const locationId = l === 3 ? null : location.body.location.locationId;
      await app.call(coach, slotsApi.createSlots, { ...plan, locationId, weeks: 2, hour: 9 + l });
      if (l > 0) continue;
      // Raises the price and publishes the lesson again; slots already published keep their price.
      const { sport, title, description } = lesson;
      await app.call(coach, catalogueApi.updateTemplate, {
        ...{ templateId, sport, title, description, durationMinutes: 60, basePriceCents: 4000 },
        ...{ lessonType: isGroup ? 'group' : 'individual', minCapacity: 2, maxCapacity: 4 },
      });
      await app.call(coach, slotsApi.createSlots, { ...plan, locationId, weeks: 1, hour: 18 });
    }
  }
  const all = await app.db
    .selectFrom('lessonSlots')
    .select(['slotId', 'maxCapacity'])
    .orderBy('slotId')
    .execute();
  for (const [index, { slotId, maxCapacity }] of all.entries()) {
    const change = [
      { bookedCount: maxCapacity },
      { status: 'cancelled' as const },
      { status: 'completed' as const },
    ][index % 12];
    if (change) await app.db.updateTable('lessonSlots').set(change).where('slotId', '=', slotId).execute();
  }
  await app.db
    .updateTable('coaches')
    .set({ isActive: false })
    .where('coachId', '=', coaches[3]!.userId)
    .execute();
  club = [];
  for (const { slotId } of all) {
    const { body } = await app.call(null, slotsApi.getOpenSlot, { slotId });
    club.push({ ...body.slot, hiddenCoach: body.slot.coachId === coaches[3]!.userId });
  }
});

/**
 * For each search, whether it finds a lesson with the given text. Every typed word must occur in some form; the last
 * typed word may also be the beginning of a word. If no lesson has such words, the typed text may occur anywhere.
 */
const searches: Record<string, (text: string) => boolean> = {
  tennis: (text) => /tennis/.test(text),
  'ten ser': () => false,
  'tennis ser': (text) => /tennis/.test(text) && /\bserve/.test(text),
  swim: (text) => /\bswim/.test(text),
  beginners: (text) => /\bbeginner/.test(text),
  rawl: (text) => /rawl/.test(text),
  '100%': (text) => /100/.test(text),
  'ay-up': (text) => /ay-up/.test(text),
  'no such lesson': () => false,
  'south court': (text) => /south court/.test(text),
  'leeds tennis': (text) => /leeds/.test(text) && /tennis/.test(text),
  'tess swimming': (text) => /tess/.test(text) && /swim/.test(text),
  w1a: (text) => /w1a/.test(text),
  will: (text) => /will marsh/.test(text),
  basketball: (text) => /basketball/.test(text),
  manchester: () => false,
};
const atLocation: Record<string, (slot: OpenSlot) => boolean> = {
  leeds: (slot) => slot.location?.city === 'Leeds',
  LS6: (slot) => slot.location?.postcode === 'LS6 3AA',
  ls: (slot) => slot.location?.city === 'Leeds',
  w1: (slot) => slot.location?.city === 'London',
  l: (slot) => slot.location?.city === 'Leeds' || slot.location?.city === 'London',
  Atlantis: () => false,
};

const textOf = ({ title, description, sport, coachName, location }: OpenSlot) =>
  [title, description, sport, coachName, location?.name, location?.city, location?.postcode]
    .join(' ')
    .toLowerCase();

function naively({
  search,
  type,
  sort,
  coachId,
  sport,
  location,
  born,
  from,
  to,
}: DiscoverFilters): OpenSlot[] {
  const byTime = (a: OpenSlot, b: OpenSlot) =>
    Date.parse(a.startTime) - Date.parse(b.startTime) || (a.slotId < b.slotId ? -1 : 1);
  return club
    .filter((slot) => slot.status === 'scheduled' && slot.bookedCount < slot.maxCapacity && !slot.hiddenCoach)
    .filter((slot) => !search || searches[search]!(textOf(slot)))
    .filter((slot) => (!type || slot.lessonType === type) && (!sport || slot.sport === sport))
    .filter((slot) => (!coachId || slot.coachId === coachId) && (!location || atLocation[location]!(slot)))
    .filter((slot) => !born || isWithinAges(countedAge(`${born}-01`, slot), slot))
    .filter((slot) => !from || wallTimeOf(slot.startTime).date >= from)
    .filter((slot) => !to || wallTimeOf(slot.startTime).date <= to)
    .sort((a, b) => {
      if (sort === 'price_low') return a.priceCents - b.priceCents || byTime(a, b);
      if (sort === 'price_high') return b.priceCents - a.priceCents || byTime(a, b);
      return byTime(a, b);
    })
    .map(({ hiddenCoach, ...slot }) => slot);
}

/** Months of birth around the ages of the lessons. */
const bornMonths = [6, 9, 12, 40].flatMap((years) => [
  `${Number(today.slice(0, 4)) - years}-03`,
  `${Number(today.slice(0, 4)) - years}-10`,
]);
const optional = <T>(values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
const anyFilters = () =>
  fc.record({
    search: optional(Object.keys(searches)),
    type: optional(lessonTypes),
    sort: fc.constantFrom(...slotSorts),
    coachId: optional(coaches.map((coach) => coach.userId)),
    sport: optional(['tennis', 'swimming', 'golf'] as const),
    location: optional(Object.keys(atLocation)),
    born: optional(bornMonths),
    from: optional([addDays(today, -3), today, addDays(today, 4)]),
    to: optional([addDays(today, 5), addDays(today, 9)]),
    limit: fc.constantFrom(1, 3, 7, 20, 50),
  });
const given = (filters: object) =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));

it.each([
  ['rawl', 'Front crawl'],
  ['swim', 'Tennis doubles'],
  ['basketball', 'Lay-ups & 100% hoops'],
  ['will', 'Front crawl'],
  ['leeds tennis', 'Tennis doubles'],
  ['south court', 'Front crawl'],
])('finds all lessons for the search "%s", in titles or elsewhere [DISC-1]', async (search, title) => {
  const found: OpenSlot[] = [];
  let cursor: string | undefined;
  do {
    const { body } = await app.call(null, discoverApi.discoverSlots, {
      ...{ search, limit: 50 },
      ...(cursor ? { cursor } : {}),
    });
    found.push(...body.slots);
    cursor = body.nextCursor ?? undefined;
  } while (cursor);
  expect(found).toEqual(naively({ search, sort: 'earliest' }));
  expect(found.map((slot) => slot.title)).toContain(title);
});

describe('Paging through discover', () => {
  it('lists matching open slots in order, without gaps or repeats [DISC-1] [DISC-2] [DISC-6]', async () => {
    await fc.assert(
      fc.asyncProperty(anyFilters(), async (filters) => {
        const found: OpenSlot[] = [];
        let cursor: string | undefined;
        do {
          const { status, body } = await app.call(null, discoverApi.discoverSlots, {
            ...given(filters),
            ...(cursor ? { cursor } : {}),
          });
          expect(status).toBe(200);
          expect(body.slots.length).toBeLessThanOrEqual(filters.limit);
          found.push(...body.slots);
          cursor = body.nextCursor ?? undefined;
        } while (cursor && found.length < 60);
        expect(found).toEqual(naively(filters).slice(0, cursor ? found.length : undefined));
      }),
      { numRuns: 150 },
    );
  });

  it('returns the same pages with every query strategy', async () => {
    const readers = strategies.map((strategy: Strategy) => createDiscover(app.db, () => strategy));
    await fc.assert(
      fc.asyncProperty(anyFilters(), async ({ search, ...filters }) => {
        for (const discover of readers) {
          let cursor: string | undefined;
          const found: OpenSlot[] = [];
          do {
            const page = await discover({ ...filters, search, cursor });
            found.push(...page.slots);
            cursor = page.nextCursor ?? undefined;
          } while (cursor && found.length < 60);
          const expected = naively({ search, ...filters }).slice(0, cursor ? found.length : undefined);
          expect(found.map((slot) => slot.slotId)).toEqual(expected.map((slot) => slot.slotId));
        }
      }),
      { numRuns: 100 },
    );
  });
});

it("finds lessons by a coach's new name and town, not by the old name or town [DISC-1]", async () => {
  const find = async (search: string) =>
    (await app.call(null, discoverApi.discoverSlots, { search, limit: 50 })).body.slots;
  const [coach] = coaches as [Someone];
  const rename = (fullName: string) =>
    app.db.updateTable('profiles').set({ fullName }).where('userId', '=', coach.userId).execute();
  const { body } = await app.call(coach, catalogueApi.listLocations, {});
  const [court] = body.locations;
  await rename('Zadie Quill');
  await app.call(coach, catalogueApi.updateLocation, { ...court!, city: 'Harrogate' });
  expect(await find('tess')).toEqual([]);
  expect(new Set((await find('quill')).map((slot) => slot.coachName))).toEqual(new Set(['Zadie Quill']));
  const inHarrogate = await find('harrogate');
  expect(new Set(inHarrogate.map((slot) => slot.location?.city))).toEqual(new Set(['Harrogate']));
  await app.call(coach, catalogueApi.updateLocation, { ...court!, city: 'Leeds' });
  await rename('Tess Okafor');
  expect(await find('harrogate')).toEqual([]);
});

it('hides past and full lessons, but shows a full lesson by its link [DISC-2]', async () => {
  const [slot] = naively({ sort: 'earliest' });
  const { slotId, startTime, endTime, maxCapacity } = slot!;
  const earlier = (iso: string) => new Date(Date.parse(iso) - 30 * 86_400_000).toISOString();
  const set = (change: object) =>
    app.db.updateTable('lessonSlots').set(change).where('slotId', '=', slotId).execute();
  const isOffered = async () =>
    (await app.call(null, discoverApi.discoverSlots, {})).body.slots.some(
      (offered) => offered.slotId === slotId,
    );
  expect(await isOffered()).toBe(true);
  await set({ startTime: earlier(startTime), endTime: earlier(endTime) });
  expect(await isOffered()).toBe(false);
  const fromNow = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  await set({ startTime: fromNow(-10), endTime: fromNow(50) });
  expect(await isOffered(), 'under way').toBe(false);
  await set({ startTime, endTime, bookedCount: maxCapacity });
  expect(await isOffered()).toBe(false);
  const shown = await app.call(null, slotsApi.getOpenSlot, { slotId });
  expect(shown.body.slot).toMatchObject({ bookedCount: maxCapacity, maxCapacity });
  await set({ bookedCount: 0 });
  const unknown = await app.call(null, slotsApi.getOpenSlot, { slotId: coaches[0]!.userId });
  expect([unknown.status, unknown.error?.message]).toEqual([404, 'Lesson not found.']);
});

it('refuses invalid cursors and cursors from another search', async () => {
  const first = await app.call(null, discoverApi.discoverSlots, { limit: 2 });
  const cursor = first.body.nextCursor!;
  const forged = Buffer.from('x.1.2027-01-01T00:00:00Z.nothing').toString('base64url');
  const bent = Buffer.from(Buffer.from(cursor, 'base64url').toString().replace(/T\d\d/, 'T99')).toString(
    'base64url',
  );
  for (const query of [
    { cursor, sort: 'price_low' as const },
    { cursor, search: 'tennis' },
    { cursor: forged },
    { cursor: bent },
    { cursor: '' },
    { cursor: "' or 1=1 --" },
  ]) {
    const { status, error } = await app.call(null, discoverApi.discoverSlots, query);
    if (query.cursor === '') continue;
    expect([status, error?.message]).toEqual([
      422,
      "This page doesn't belong to this search. Start again from the first page.",
    ]);
  }
});

/** For every filter and for the order, two values that each find more than one lesson. */
const listPairs = (): { [Name in keyof DiscoverFilters]-?: DiscoverFilters[Name][] } => ({
  search: ['tennis', 'swim'],
  type: ['individual', 'group'],
  sport: ['tennis', 'swimming'],
  location: ['leeds', 'w1'],
  coachId: coaches.slice(0, 2).map((coach) => coach.userId),
  born: ['2016-05', '1980-01'],
  from: [today, addDays(today, 4)],
  to: [addDays(today, 5), addDays(today, 9)],
  sort: ['price_low', 'price_high'],
});

it.each(Object.keys(discoverFilters.shape) as (keyof DiscoverFilters)[])(
  'keeps cursors and cache keys separate for two values of "%s"',
  async (name) => {
    const searches = listPairs()[name].map((value) => ({ [name]: value }));
    const read = (query: object) => app.call(null, discoverApi.discoverSlots, { ...query, limit: 1 });
    const cursors = await Promise.all(searches.map(async (search) => (await read(search)).body.nextCursor!));
    for (const [index, cursor] of cursors.entries()) {
      expect((await read({ ...searches[index], cursor })).status).toBe(200);
      expect((await read({ ...searches[1 - index], cursor })).status).toBe(422);
      expect((await read({ cursor })).status).toBe(422);
    }
    const keys = listPairs()[name].map((value) => normaliseQuery(`?${name}=${value}`));
    expect(new Set([normaliseQuery(''), ...keys]).size).toBe(3);
  },
);

it('reports the availability of lessons by id', async () => {
  const [slot, full] = naively({ sort: 'earliest' }).slice(-2) as [OpenSlot, OpenSlot];
  const set = (slotId: string, change: object) =>
    app.db.updateTable('lessonSlots').set(change).where('slotId', '=', slotId).execute();
  const ask = (slotIds: string) => app.call(null, slotsApi.readAvailability, { slotIds });
  const of = ({ slotId, status, bookedCount, maxCapacity, priceCents, ...slot }: OpenSlot) => ({
    ...{ slotId, status, bookedCount, maxCapacity, priceCents },
    ...{ startTime: slot.startTime, endTime: slot.endTime, location: slot.location },
  });
  await set(full.slotId, { bookedCount: full.maxCapacity });
  const { status, body } = await ask([slot.slotId, full.slotId, full.slotId, coaches[0]!.userId].join());
  expect(status).toBe(200);
  expect(body.slots).toHaveLength(2);
  expect(body.slots).toEqual(
    expect.arrayContaining([of(slot), { ...of(full), bookedCount: full.maxCapacity }]),
  );
  await set(full.slotId, { bookedCount: 0, status: 'cancelled' });
  expect((await ask(full.slotId)).body.slots).toEqual([{ ...of(full), bookedCount: 0, status: 'cancelled' }]);
  await set(full.slotId, { status: 'scheduled' });
  for (const wrong of ['', 'me', `${slot.slotId},`, Array(101).fill(slot.slotId).join()]) {
    const refused = await ask(wrong);
    expect([refused.status, Object.keys(refused.error?.fields ?? {})], wrong).toEqual([422, ['slotIds']]);
  }
});
