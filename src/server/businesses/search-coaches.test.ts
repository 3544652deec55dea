import { expect, test } from 'vitest';
import { businessesApi } from '#domain/businesses/contract.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { setUpTestApp } from '#server/test-support/test-app.test-support.ts';

const app = setUpTestApp();

async function openCoach(fullName: string): Promise<Someone> {
  const coach = await app.signIn('customer', 'coach');
  await app.db.updateTable('profiles').set({ fullName }).where('userId', '=', coach.userId).execute();
  return coach;
}

test('lets visitors find only active, listed coaches by name or id', async () => {
  const [tess, terence, gone] = [
    await openCoach('Tess Okafor'),
    await openCoach('Terence 100% Tess'),
    await openCoach('Tess Gone'),
  ];
  await app.signIn('customer');
  await app.db.updateTable('coaches').set({ isActive: false }).where('coachId', '=', gone.userId).execute();
  await app.db
    .updateTable('coaches')
    .set({ towns: ['Leeds'] })
    .where('coachId', '=', tess.userId)
    .execute();
  const find = async (question: { search: string }) =>
    (await app.call(null, businessesApi.searchCoaches, question)).body.coaches;
  const read = (coachId: string) => app.call(null, businessesApi.getCoach, { coachId });
  const [first, second] = [
    { coachId: terence.userId, fullName: 'Terence 100% Tess', towns: [] },
    { coachId: tess.userId, fullName: 'Tess Okafor', towns: ['Leeds'] },
  ];
  expect(await find({ search: 'tess' })).toEqual([first, second]);
  expect(await find({ search: '0%' })).toEqual([first]);
  expect(await find({ search: '__' })).toEqual([]);
  expect((await read(tess.userId)).body.coach).toEqual(second);
  expect((await read(gone.userId)).status).toBe(404);
  const tooShort = await app.call(null, businessesApi.searchCoaches, { search: 'T' });
  expect([tooShort.status, Object.keys(tooShort.error?.fields ?? {})]).toEqual([422, ['search']]);
  await app.db
    .updateTable('coaches')
    .set({ isListed: false })
    .where('coachId', '=', terence.userId)
    .execute();
  expect(await find({ search: 'tess' })).toEqual([second]);
  expect((await read(terence.userId)).status).toBe(404);
});
