import { expect, test } from 'vitest';
import { ownAccountApi } from '#domain/account/contract.ts';
import { accountsApi } from '#domain/accounts/contract.ts';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import { beforeTests, eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { openCoachWithTexts } from '../coach-with-texts.test-support.ts';
import { findTables } from '../find-text.test-support.ts';

const app = setUpTestApp();
const club = beforeTests(() => openClub(app));

const findText = (text: string) => findTables(app.db, text);

/** Returns, as one text, the public pages and responses that can show these lessons and this coach. */
async function readAsVisitor(coachId: string, slotIds: string[]): Promise<string> {
  const paths = [
    ...slotIds.map((slotId) => `/api/slots/${slotId}`),
    `/api/slot-availability?slotIds=${slotIds.join(',')}`,
    ...['/api/slots', `/api/slots?coachId=${coachId}`, '/api/slots?search=Volley', `/coaches/${coachId}`],
    ...['/', '/sitemap.xml'],
  ];
  const texts = await Promise.all(paths.map(async (path) => (await fetch(app.url + path)).text()));
  return texts.join('\n');
}

test("erases a customer's name and email from every table and keeps the booking [AUTH-14b]", async () => {
  const customer = await club.join();
  const fullName = 'Quentin Unrepeated';
  const named = await app.auth(customer, '/user', { method: 'PUT', body: { data: { full_name: fullName } } });
  expect(named.status).toBe(200);
  const slotId = await club.publish();
  const { bookingId } = (await club.bookUntilDecided(customer, slotId)).body;
  await club.putAt(slotId, -180);
  expect(await findText(fullName)).toContain('profiles');
  expect(await findText(customer.email)).toContain('users');

  expect((await app.call(customer, ownAccountApi.deleteAccount, {})).error?.message).toBeUndefined();
  for (const trace of [fullName, customer.email]) expect(await findText(trace), trace).toEqual([]);
  expect(await club.readBookings(slotId)).toMatchObject([
    { bookingId, customerUserId: customer.userId, status: 'booked', amountCents: 5000 },
  ]);
});

test("erases what a coach wrote everywhere except in customers' records [AUTH-14b]", async () => {
  const { coach, slotIds } = await openCoachWithTexts(app, club, 'marker');
  const [booked, free] = slotIds;
  const customer = await club.join();
  const { bookingId } = (await club.bookUntilDecided(customer, booked)).body;
  const { fullName: coachName } = (await app.call(coach, accountsApi.getProfile, {})).body.profile!;
  await app.call(coach, lessonsApi.cancelSlot, { slotId: booked, reason: 'A broken legmarker' });
  await club.expectLedgerInOrder();
  const before = await readAsVisitor(coach.userId, slotIds);
  for (const marker of ['Volleymarker', 'Homemarker', 'Descriptionmarker', 'Biomarker']) {
    expect(before).toContain(marker);
  }

  expect((await app.call(coach, ownAccountApi.deleteAccount, {})).error?.message).toBeUndefined();
  // Matches only these words, because the style sheets of built pages contain `marker`.
  const texts = /(Volley|Home|Description|Bio|Type|Firm|Office)marker/;
  await eventually(async () => !texts.test(await readAsVisitor(coach.userId, slotIds)));
  for (const slotId of [booked, free]) {
    expect((await fetch(`${app.url}/api/slots/${slotId}`)).status).toBe(404);
  }
  expect(await findText(coach.email)).toEqual([]);
  for (const marker of ['Biomarker', 'Typemarker', 'Firmmarker', 'Officemarker', 'legmarker']) {
    expect(await findText(marker), marker).toEqual([]);
  }
  // The receipt and the customer's notifications still show what the customer paid for.
  expect(await findText('Volleymarker')).toEqual(['bookings', 'notifications']);
  expect(await findText('Homemarker')).toEqual(['bookings', 'notifications']);
  expect(await findText('Descriptionmarker')).toEqual(['bookings']);
  expect(coachName).toMatch(/^Person \d+$/);
  const kept = { bookingId, title: 'Volleymarker', coachName };
  expect((await app.call(customer, bookingsApi.listMine, {})).body.bookings).toMatchObject([kept]);
  expect((await app.call(customer, bookingsApi.getMine, { bookingId })).body.booking).toMatchObject(kept);
  const left = app.db.selectFrom('lessonSlots').select('slotId').where('coachId', '=', coach.userId);
  expect(await left.execute()).toEqual([{ slotId: booked }]);
});
