import { expect, test } from 'vitest';
import { firstStepsApi } from '#domain/account/first-steps-contract.ts';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { businessesApi } from '#domain/businesses/contract.ts';
import { catalogueApi } from '#domain/catalogue/contract.ts';
import { slotsApi } from '#domain/catalogue/slots-contract.ts';
import { payoutsApi } from '#domain/payouts/contract.ts';
import { defaultVerificationPolicy } from '#domain/settings/verification-policy.ts';
import { addDays, wallTimeOf } from '#domain/time.ts';
import { makePicture, storageOf } from '#server/storage/pictures.test-support.ts';
import { setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { addDocument, askOfCoaches, dayIn } from '#server/verification/verification.test-support.ts';

const app = setUpTestApp();

test("derives a new coach's first steps from stored data [VERIFY-13a]", async () => {
  const coach = await app.signIn('coach');
  const readDone = async () => {
    const { body } = await app.call(coach, firstStepsApi.list, {});
    return body.steps.filter(({ isDone }) => isDone).map(({ step }) => step);
  };
  const { body } = await app.call(coach, firstStepsApi.list, {});
  expect(body.steps).toEqual(
    ['profile', 'picture', 'location', 'template', 'lessons', 'bankDetails'].map((step) => ({
      step,
      isDone: false,
    })),
  );

  const profile = { coachType: 'Tennis coach', bio: 'Small groups.', sports: ['tennis' as const] };
  for (const missing of [{ coachType: '' }, { bio: '' }, { sports: [] }]) {
    await app.call(coach, businessesApi.saveCoachProfile, { ...profile, ...missing });
    expect(await readDone()).toEqual([]);
  }
  await app.call(coach, businessesApi.saveCoachProfile, profile);
  expect(await readDone()).toEqual(['profile']);

  const uploaded = await storageOf(app.url, coach)
    .from('avatars')
    .upload(`${coach.userId}/avatar`, await makePicture());
  expect(uploaded.error).toBeNull();
  expect(await readDone()).toEqual(['profile', 'picture']);

  const court = { name: 'Hyde Park', address: '14 Park Road', city: 'Leeds', postcode: 'LS6 3AA' };
  const { location } = (await app.call(coach, catalogueApi.createLocation, court)).body;
  expect(await readDone()).toEqual(['profile', 'picture', 'location']);

  const { template } = (
    await app.call(coach, catalogueApi.createTemplate, {
      ...{
        title: 'First serve',
        description: '',
        sport: 'tennis',
        durationMinutes: 60,
        basePriceCents: 4000,
      },
      ...{ lessonType: 'individual', minCapacity: 1, maxCapacity: 1 },
    })
  ).body;
  expect(await readDone()).toEqual(['profile', 'picture', 'location', 'template']);

  const { slots } = (
    await app.call(coach, slotsApi.createSlots, {
      ...{
        templateId: template.templateId,
        locationId: location.locationId,
        mode: 'dates',
        additionalDates: [],
      },
      ...{ startDate: addDays(wallTimeOf(Date.now()).date, 3), hour: 9, minute: 0 },
    })
  ).body;
  expect(await readDone()).toEqual(['profile', 'picture', 'location', 'template', 'lessons']);

  const account = { accountName: 'Casey Coach', sortCode: '08-99-99', accountNumber: '66374958' };
  await app.call(coach, payoutsApi.saveBankDetails, account);
  expect(await readDone()).toHaveLength(6);

  // A step that is undone is open again.
  const { status } = await app.call(coach, lessonsApi.cancelSlot, { slotId: slots[0]!.slotId, reason: '' });
  expect(status).toBe(200);
  expect(await readDone()).toEqual(['profile', 'picture', 'location', 'template', 'bankDetails']);
  const { templateId } = template;
  expect((await app.call(coach, catalogueApi.deleteTemplate, { templateId })).status).toBe(200);
  expect(await readDone()).toEqual(['profile', 'picture', 'location', 'bankDetails']);
  const { locationId } = location;
  expect((await app.call(coach, catalogueApi.deleteLocation, { locationId })).status).toBe(200);
  expect(await readDone()).toEqual(['profile', 'picture', 'bankDetails']);
  const avatars = storageOf(app.url, coach).from('avatars');
  expect((await avatars.remove([`${coach.userId}/avatar`])).error).toBeNull();
  expect(await readDone()).toEqual(['profile', 'bankDetails']);
  await app.call(coach, businessesApi.saveCoachProfile, { ...profile, bio: '' });
  expect(await readDone()).toEqual(['bankDetails']);
  const other = await app.signIn('coach');
  expect((await app.call(other, firstStepsApi.list, {})).body.steps.some(({ isDone }) => isDone)).toBe(false);
});

test('adds checks to the first steps while the club requires any [VERIFY-13c]', async () => {
  const coach = await app.signIn('coach');
  const readChecks = async () => {
    const { body } = await app.call(coach, firstStepsApi.list, {});
    return body.steps.find(({ step }) => step === 'checks')?.isDone;
  };
  expect(await readChecks()).toBeUndefined();
  await askOfCoaches(app, defaultVerificationPolicy);
  expect(await readChecks()).toBe(false);
  const submitted = await addDocument(app, coach.userId, { status: 'submitted' });
  expect(await readChecks(), 'no admin has accepted it').toBe(false);
  await app.db.deleteFrom('coachDocuments').where('documentId', '=', submitted).execute();
  await addDocument(app, coach.userId, { endsOn: dayIn(0) });
  expect(await readChecks(), 'neither a licence nor first aid training is needed').toBe(true);

  // A template that is open to under-18s also requires a criminal record check and safeguarding training.
  const template = { title: 'Rallies', description: '', sport: 'tennis', durationMinutes: 60 } as const;
  const created = await app.call(coach, catalogueApi.createTemplate, {
    ...{ ...template, basePriceCents: 4000, lessonType: 'individual', minCapacity: 1, maxCapacity: 1 },
  });
  expect(created.status).toBe(200);
  expect(await readChecks()).toBe(false);
  const court = { name: 'Hyde Park', address: '14 Park Road', city: 'Leeds', postcode: 'LS6 3AA' };
  await app.call(coach, catalogueApi.createLocation, { ...court, nation: 'england' });
  await addDocument(app, coach.userId, { kind: 'criminal_record_check' });
  expect(await readChecks()).toBe(false);
  await addDocument(app, coach.userId, { kind: 'safeguarding' });
  expect(await readChecks()).toBe(true);

  await app.db
    .updateTable('coachDocuments')
    .set({ validUntil: dayIn(-1) })
    .where('coachId', '=', coach.userId)
    .where('kind', '=', 'insurance')
    .execute();
  expect(await readChecks(), 'the insurance ended yesterday').toBe(false);
});
