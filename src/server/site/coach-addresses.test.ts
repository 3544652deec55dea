import { expect, test } from 'vitest';
import { ownAccountApi } from '#domain/account/contract.ts';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { businessesApi } from '#domain/businesses/contract.ts';
import { slotsApi } from '#domain/catalogue/slots-contract.ts';
import { discoverApi } from '#domain/discover/contract.ts';
import { grantRole, revokeRole } from '#server/businesses/change-roles.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { setUpTestApp } from '#server/test-support/test-app.test-support.ts';

const app = setUpTestApp();
const system = { system: 'test' } as const;

const setName = (who: Someone, fullName: string) =>
  app.db.updateTable('profiles').set({ fullName }).where('userId', '=', who.userId).execute();

/** Adds a coach with this name; returns the coach. */
async function addCoach(fullName: string): Promise<Someone> {
  const person = await app.signIn('customer');
  await setName(person, fullName);
  await grantRole(app.db, system, person.userId, 'coach');
  return person;
}

const addressOf = async (coach: Someone) =>
  (await app.call(coach, businessesApi.getCoachProfile, {})).body.coachAddress;

/** Requests a path below /coaches and returns the status, the redirect's target and the page. */
async function open(address: string) {
  const answer = await fetch(`${app.url}/coaches/${address}`, { redirect: 'manual' });
  return { status: answer.status, to: answer.headers.get('location'), answer, html: await answer.text() };
}

test('makes addresses from names in many scripts, never reserved words or ids', async () => {
  for (const [name, address] of [
    ['Zoë  O’Brien-Łuk', 'zoe-obrien-luk'],
    ['  Åse Straße (Æ)! ', 'ase-strasse-ae'],
    ['New', 'new-2'],
    ['大坂', 'coach'],
    ['Мария', 'coach-2'],
    ['../../admin?x=<b>', 'admin-x-b'],
    ['0b8e1f3a-1111-4222-8333-944445555666', '0b8e1f3a-1111-4222-8333-944445555666-2'],
    [`${'Long '.repeat(38)}Name`, 'long-long-long-long-long-long-long-long-long-long-long-long'],
  ] as const) {
    const coach = await addCoach(name);
    expect(await addressOf(coach), name).toBe(address);
    expect((await open(address)).status, name).toBe(200);
  }
});

test('numbers the addresses of coaches with the same name, even if they join at once [BIZ-2c]', async () => {
  const people = await Promise.all(Array.from({ length: 6 }, () => app.signIn('customer')));
  for (const person of people) await setName(person, 'Sam Same');
  await Promise.all(people.map(({ userId }) => grantRole(app.db, system, userId, 'coach')));
  const addresses = await Promise.all(people.map(addressOf));
  const numbered = [2, 3, 4, 5, 6].map((number) => `sam-same-${number}`);
  expect(addresses.sort()).toEqual(['sam-same', ...numbered]);
});

test('uses the address in every link to a coach [BIZ-2c]', async () => {
  const club = await openClub(app);
  await setName(club.coach, 'Jo Smith');
  const slotId = await club.publish();
  const customer = await club.join();
  expect((await club.bookUntilDecided(customer, slotId)).body.outcome).toBe('booked');
  const coachAddress = 'jo-smith';
  const found = await app.call(null, discoverApi.discoverSlots, { coachId: club.coach.userId });
  expect(found.body.slots[0]).toMatchObject({ coachAddress });
  expect((await app.call(null, slotsApi.getOpenSlot, { slotId })).body.slot).toMatchObject({ coachAddress });
  const { bookings } = (await app.call(customer, bookingsApi.listMine, {})).body;
  expect(bookings[0]).toMatchObject({ coachAddress });
  const { coaches } = (await app.call(customer, bookingsApi.listMyCoaches, {})).body;
  expect(coaches[0]).toMatchObject({ coachAddress });
  expect(await addressOf(club.coach)).toBe(coachAddress);

  const { html } = await open(coachAddress);
  expect(html).toContain(`<link rel="canonical" href="${app.config.publicUrl}/coaches/jo-smith"/>`);
  expect(html).toContain(`"@id":"${app.config.publicUrl}/coaches/jo-smith#coach"`);
  const pages = ['/', '/coaches/jo-smith', '/sitemap.xml'];
  for (const path of pages) {
    const text = await (await fetch(app.url + path)).text();
    expect(text, path).toContain('/coaches/jo-smith');
    expect(text, path).not.toContain(`/coaches/${club.coach.userId}`);
  }
});

test('redirects earlier addresses, ids and capitals permanently [BIZ-2c, BIZ-2d]', async () => {
  const coach = await addCoach('Ann Alder');
  await setName(coach, 'Ann Birch');
  expect(await addressOf(coach)).toBe('ann-birch');
  for (const former of ['ann-alder', 'Ann-Alder', coach.userId, coach.userId.toUpperCase(), 'ANN-BIRCH']) {
    const { status, to, answer } = await open(`${former}?from=poster`);
    expect([status, to], former).toEqual([301, '/coaches/ann-birch?from=poster']);
    // A cached redirect would loop once the coach returns to the earlier name.
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    expect((await open(`${former}/reviews`)).to, former).toBe('/coaches/ann-birch/reviews');
  }
  for (const path of ['ann-birch', 'ann-birch/reviews']) expect((await open(path)).status).toBe(200);

  const other = await addCoach('Ann Alder');
  expect(await addressOf(other)).toBe('ann-alder-2');
  await setName(coach, 'Ann Alder');
  expect(await addressOf(coach)).toBe('ann-alder');
  expect((await open('ann-birch')).to).toBe('/coaches/ann-alder');
  await setName(coach, 'Ann  ALDER');
  expect(await addressOf(coach)).toBe('ann-alder');
});

test("keeps a former coach's address for their return [BIZ-2d]", async () => {
  const coach = await addCoach('Ravi Return');
  await revokeRole(app.db, system, coach.userId, 'coach');
  for (const address of ['ravi-return', coach.userId]) expect((await open(address)).status).toBe(404);
  expect(await addressOf(await addCoach('Ravi Return'))).toBe('ravi-return-2');
  await grantRole(app.db, system, coach.userId, 'coach');
  expect((await open('ravi-return')).status).toBe(200);
});

test("deletes a coach's addresses with the account [BIZ-2d]", async () => {
  const coach = await addCoach('Dee Departs');
  await setName(coach, 'Dee Gone');
  expect((await app.call(coach, ownAccountApi.deleteAccount, {})).error?.message).toBeUndefined();
  for (const address of ['dee-departs', 'dee-gone', coach.userId]) {
    expect((await open(address)).status, address).toBe(404);
  }
  const left = app.db.selectFrom('coachAddresses').select('address').where('coachId', '=', coach.userId);
  expect(await left.execute()).toEqual([]);
  expect(await addressOf(await addCoach('Dee Departs'))).toBe('dee-departs');
});

test('gives a coach at most twenty addresses [BIZ-2c]', async () => {
  const coach = await addCoach('Name 1');
  for (let number = 2; number <= 22; number += 1) await setName(coach, `Name ${number}`);
  expect(await addressOf(coach)).toBe('name-20');
  await setName(coach, 'Name 3');
  expect(await addressOf(coach)).toBe('name-3');
});
