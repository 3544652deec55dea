import pg from 'pg';
import { expect, test } from 'vitest';
import { deskApi } from '#domain/desk/contract.ts';
import type { InputOf } from '#domain/endpoint.ts';
import { wallTimeOf } from '#domain/time.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import { openFamily, plainCare } from '#server/test-support/family.test-support.ts';
import { beforeTests, setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { testCards } from '#server/test-support/test-cards.test-support.ts';

const app = setUpTestApp();
const club = beforeTests(() => openClub(app));
const admin = beforeTests(() => app.signIn('admin'));

const search = async (input: InputOf<typeof deskApi.search>) => {
  const { body, error } = await app.call(admin, deskApi.search, input);
  expect(error?.message).toBeUndefined();
  return body;
};
const idsOf = async (input: InputOf<typeof deskApi.search>) =>
  (await search(input)).bookings.map(({ bookingId }) => bookingId);

const rename = ({ userId }: { userId: string }, fullName: string) =>
  app.db.updateTable('profiles').set({ fullName }).where('userId', '=', userId).execute();

async function sell(title?: string, card?: string) {
  const slotId = await club.publish();
  if (title) {
    const { templateId } = await club.readSlot(slotId);
    const {
      templateId: _,
      search: __,
      searchWithLocations: ___,
      ...copied
    } = await app.db
      .selectFrom('lessonTemplates')
      .selectAll()
      .where('templateId', '=', templateId)
      .executeTakeFirstOrThrow();
    const own = await app.db
      .insertInto('lessonTemplates')
      .values({ ...copied, title })
      .returning('templateId')
      .executeTakeFirstOrThrow();
    await app.db.updateTable('lessonSlots').set(own).where('slotId', '=', slotId).execute();
  }
  const customer = await club.join(card);
  const { bookingId } = (await club.book(customer, slotId)).body;
  return { slotId, customer, bookingId };
}

test('finds a booking by its reference or id [CONNECT-13a]', async () => {
  const { bookingId } = await sell();
  for (const typed of [bookingId, bookingId.slice(0, 8), bookingId.slice(0, 8).toUpperCase()]) {
    expect(await idsOf({ search: typed })).toEqual([bookingId]);
  }
  expect(await idsOf({ search: '00000000-0000-4000-8000-000000000000' })).toEqual([]);
});

test("finds bookings by part of the customer's name or email address [CONNECT-13a]", async () => {
  const { bookingId, customer } = await sell();
  await rename(customer, 'Philippa Underhill-Quist');
  for (const typed of ['underhill', 'ippa Under', customer.email.slice(0, 14), 'ph']) {
    expect(await idsOf({ search: typed }), typed).toContain(bookingId);
  }
  const [found] = (await search({ search: 'Underhill-Quist' })).bookings;
  expect(found).toMatchObject({
    ...{ bookingId, status: 'booked', title: 'Tennis basics', amountCents: 5000, refundedCents: 0 },
    ...{ customerName: 'Philippa Underhill-Quist', customerEmail: customer.email, participantName: null },
    card: { brand: 'visa', lastFour: '4242' },
  });
  // Wildcards are ordinary characters.
  expect(await idsOf({ search: 'under%quist' })).toEqual([]);
});

test("finds bookings by a dependant's name, but not by care details [CONNECT-13a]", async () => {
  const family = openFamily(app);
  const parent = await club.join();
  const participantId = await family.addReadyChild(parent, { fullName: 'Wilhelmina Oakes' });
  const { bookingId } = (await family.bookFor(parent, await club.publish(), participantId)).body;
  const { bookings } = await search({ search: 'wilhelmina' });
  expect(bookings).toMatchObject([{ bookingId, participantName: 'Wilhelmina Oakes' }]);
  // The search text is the name of an emergency contact.
  expect(await idsOf({ search: plainCare.contacts[0]!.name })).toEqual([]);
});

test("finds bookings by the lesson's title, by the date, and by both [CONNECT-13a]", async () => {
  const [one, other] = [await sell('Padel for night owls'), await sell('Padel for early birds')];
  await club.putAt(one.slotId, 60 * 24 * 40);
  await club.putAt(other.slotId, 60 * 24 * 42);
  const dateOf = async (slotId: string) =>
    wallTimeOf(Date.parse((await club.readSlot(slotId)).startTime)).date;
  const date = await dateOf(one.slotId);
  // The latest lesson comes first.
  expect(await idsOf({ search: 'padel for' })).toEqual([other.bookingId, one.bookingId]);
  expect(await idsOf({ search: 'night owls' })).toEqual([one.bookingId]);
  expect(await idsOf({ date })).toEqual([one.bookingId]);
  expect(await idsOf({ search: 'padel', date })).toEqual([one.bookingId]);
  expect(await idsOf({ search: 'early birds', date })).toEqual([]);
  expect(await idsOf({ search: one.bookingId.slice(0, 8), date })).toEqual([one.bookingId]);
  expect(await search({})).toEqual({ bookings: [], nextCursor: null });
});

test("finds bookings by the card's last four digits [CONNECT-13a]", async () => {
  const { bookingId } = await sell(undefined, testCards.mastercard);
  expect(await idsOf({ search: '4444' })).toEqual([bookingId]);
});

test('lists every booking exactly once across pages [CONNECT-13b]', async () => {
  const made = [];
  for (let index = 0; index < 5; index += 1) made.push((await sell('Croquet evenings')).bookingId);
  const read: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await search({ search: 'croquet', limit: 2, ...(cursor && { cursor }) });
    read.push(...page.bookings.map(({ bookingId }) => bookingId));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  expect(read).toEqual(made.toReversed());
});

test('cancels a slow search early, and suggests how to narrow it down [CONNECT-13b]', async () => {
  const client = new pg.Client({ connectionString: app.databaseUrl });
  await client.connect();
  await client.query('begin; lock table participants in access exclusive mode');
  const startedAt = performance.now();
  const { status, error } = await app.call(admin, deskApi.search, { search: 'somebody' });
  await client.query('rollback');
  await client.end();
  expect(status).toBe(503);
  expect(performance.now() - startedAt).toBeLessThan(10_000);
  expect(error?.message).toBe('This search took too long. Please add a date, or type more of the name.');
});
