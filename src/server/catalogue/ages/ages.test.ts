import { expect, test } from 'vitest';
import { participantsApi } from '#domain/accounts/participants-contract.ts';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { agesApi } from '#domain/catalogue/ages-contract.ts';
import { catalogueApi } from '#domain/catalogue/contract.ts';
import { slotsApi } from '#domain/catalogue/slots-contract.ts';
import { deskApi } from '#domain/desk/contract.ts';
import { discoverApi } from '#domain/discover/contract.ts';
import { addDays, wallTimeOf } from '#domain/time.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { bornYearsAgo, openFamily } from '#server/test-support/family.test-support.ts';
import { beforeTests, eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';

const app = setUpTestApp();
const club = beforeTests(() => openClub(app));
const family = openFamily(app);

const template = {
  ...({ title: 'Juniors', description: '', sport: 'tennis', durationMinutes: 60 } as const),
  ...({ basePriceCents: 5000, lessonType: 'group', minCapacity: 2, maxCapacity: 8 } as const),
};

/** Creates a coach with a template for these ages, and a lesson in `days` days. */
async function offer(
  ages: { minAge?: number; maxAge?: number; ageDate?: 'day' | 'aug31' | 'dec31' },
  days = 20,
) {
  const coach = await app.signIn('coach');
  const { body } = await app.call(coach, catalogueApi.createTemplate, { ...template, ...ages });
  const { templateId } = body.template;
  const startDate = addDays(wallTimeOf(Date.now()).date, days);
  const { body: created } = await app.call(coach, slotsApi.createSlots, {
    ...{ templateId, mode: 'dates' as const, startDate, hour: 12, locationId: null },
  });
  return { coach, templateId, slotId: created.slots[0]!.slotId };
}

const ask = (who: Someone, slotId: string, participantId: string) =>
  app.call(who, agesApi.ask, { slotId, participantId });

test('leaves the age range of published lessons unchanged when the template changes [PART-9a]', async () => {
  const { coach, templateId, slotId } = await offer({ minAge: 8, maxAge: 12, ageDate: 'aug31' });
  const read = async () => (await app.call(null, slotsApi.getOpenSlot, { slotId })).body.slot;
  expect(await read()).toMatchObject({ minAge: 8, maxAge: 12, ageDate: 'aug31' });
  await app.call(coach, catalogueApi.updateTemplate, { ...template, templateId, minAge: 5 });
  expect(await read()).toMatchObject({ minAge: 8, maxAge: 12, ageDate: 'aug31' });
  const { body } = await app.call(coach, catalogueApi.listTemplates, {});
  expect(body.templates[0]).toMatchObject({ minAge: 5, maxAge: null, ageDate: 'day' });
  const empty = await app.call(coach, catalogueApi.createTemplate, { ...template, minAge: 9, maxAge: 8 });
  expect([empty.status, empty.error?.fields]).toEqual([
    422,
    { minAge: "The youngest age can't be above the oldest." },
  ]);
});

test('refuses a participant outside the age range, and gives the reason [PART-9b]', async () => {
  const { slotId } = await offer({ minAge: 8, maxAge: 12 });
  const parent = await club.join();
  const [seven, eight, birthday] = [
    await family.addReadyChild(parent, { knownAs: 'Ben', dateOfBirth: bornYearsAgo(7) }),
    await family.addReadyChild(parent, { fullName: 'Ada', dateOfBirth: bornYearsAgo(8) }),
    await family.addReadyChild(parent, { fullName: 'Cy', dateOfBirth: bornYearsAgo(8, -20) }),
  ];
  const refused = await family.bookFor(parent, slotId, seven);
  expect([refused.status, refused.error]).toMatchObject([
    409,
    {
      code: 'age_range',
      message: 'This lesson is for ages 8 to 12, and Ben is 7 on the day. The coach may make an exception.',
      details: { participantId: seven, isDateOfBirthMissing: false, canAsk: true },
    },
  ]);
  expect((await family.bookFor(parent, slotId, eight)).status).toBe(200);
  expect((await family.bookFor(parent, slotId, birthday)).status, 'who turns 8 that day').toBe(200);
  expect((await club.readSlot(slotId)).bookedCount).toBe(2);
});

test('refuses to move a booking to a date on which the participant is too old [PART-9b]', async () => {
  const { coach, templateId, slotId } = await offer({ minAge: 8, maxAge: 12 });
  const startDate = addDays(wallTimeOf(Date.now()).date, 40);
  const { body } = await app.call(coach, slotsApi.createSlots, {
    ...{ templateId, mode: 'dates' as const, startDate, hour: 12, locationId: null },
  });
  const later = body.slots[0]!.slotId;
  const [admin, parent] = [await app.signIn('admin'), await club.join()];
  const cy = await family.addReadyChild(parent, { fullName: 'Cy Grown', dateOfBirth: bornYearsAgo(13, -30) });
  const { bookingId } = (await family.bookFor(parent, slotId, cy)).body;
  await eventually(async () => (await club.readBookings(slotId))[0]!.status === 'booked');
  const move = (to: string) => app.call(admin, deskApi.move, { bookingId, slotId: to });
  const expectRefused = async () => {
    const { status, error } = await move(later);
    expect([status, error?.code, error?.message]).toEqual([
      ...[409, 'age_range'],
      'This lesson is for ages 8 to 12, and Cy Grown is 13 on the day. The coach may make an exception.',
    ]);
  };
  await expectRefused();
  const terms = { refundsEnabled: false };
  await app.db.updateTable('bookings').set(terms).where('bookingId', '=', bookingId).execute();
  const cancelled = await app.call(parent, bookingsApi.cancel, { bookingId, expectedRefundCents: 0 });
  expect(cancelled.error?.message).toBeUndefined();
  await expectRefused();
  expect((await club.readSlot(later)).bookedCount).toBe(0);
  expect((await move(slotId)).status, 'the date on which the child is 12').toBe(200);

  await ask(parent, later, cy);
  const { ageRequestId } = (await app.call(coach, agesApi.listRequests, {})).body.requests[0]!;
  await app.call(coach, agesApi.answer, { ageRequestId, isAllowed: true });
  expect((await move(later)).status, 'with an exception').toBe(200);
});

test('asks adults for their date of birth only if a lesson has an age range [PART-1b]', async () => {
  const [open, { slotId }] = [await offer({}, 19), await offer({ minAge: 18 })];
  const adult = await club.join();
  expect((await club.book(adult, open.slotId)).status, 'without an age range').toBe(200);
  const missing = await club.book(adult, slotId);
  expect([missing.status, missing.error]).toMatchObject([
    409,
    {
      message: 'This lesson is for ages 18 and over. Please add your date of birth first.',
      details: { isDateOfBirthMissing: true, canAsk: false },
    },
  ]);
  await app.call(adult, participantsApi.update, { participantId: adult.userId, dateOfBirth: '1980-02-29' });
  expect((await club.book(adult, slotId)).status).toBe(200);
});

test('books a participant for whom the coach makes an exception [PART-9d]', async () => {
  const { coach, slotId } = await offer({ minAge: 8 });
  const [parent, stranger] = [await club.join(), await club.join()];
  const ben = await family.addReadyChild(parent, { fullName: 'Ben Young', dateOfBirth: bornYearsAgo(7) });
  const ada = await family.addReadyChild(parent, { fullName: 'Ada Older', dateOfBirth: bornYearsAgo(9) });
  expect((await ask(stranger, slotId, ben)).status).toBe(404);
  const unneeded = await ask(parent, slotId, ada);
  expect([unneeded.status, unneeded.error?.message]).toEqual([
    409,
    'This lesson is open to this age, so you can book it without asking.',
  ]);
  expect((await ask(parent, slotId, ben)).body.status).toBe('asked');
  expect((await ask(parent, slotId, ben)).body.status).toBe('asked');
  const emails = await eventually(async () => {
    const about = (await app.emailsTo(coach.email)).filter(({ subject }) =>
      /has asked for an exception/.test(subject),
    );
    return about.length > 0 && about;
  });
  expect(emails).toHaveLength(1);
  expect(emails[0]!.text).toContain('Ben Young');

  const { body } = await app.call(coach, agesApi.listRequests, {});
  expect(body.requests).toMatchObject([
    { participantName: 'Ben Young', age: 7, status: 'asked', title: 'Juniors' },
  ]);
  const { ageRequestId } = body.requests[0]!;
  const answer = (who: Someone, isAllowed: boolean) =>
    app.call(who, agesApi.answer, { ageRequestId, isAllowed });
  expect((await answer(club.coach, true)).status).toBe(404);
  expect((await answer(coach, false)).body.request.status).toBe('declined');
  expect((await family.bookFor(parent, slotId, ben)).error?.code).toBe('age_range');
  expect((await answer(coach, true)).body.request.status).toBe('allowed');
  expect((await ask(parent, slotId, ben)).body.status).toBe('allowed');
  expect((await family.bookFor(parent, slotId, ben)).status).toBe(200);
  await eventually(async () =>
    (await app.emailsTo(parent.email)).find(({ subject }) => subject === 'You can book Juniors'),
  );
  expect((await app.call(club.coach, agesApi.listRequests, {})).body.requests).toEqual([]);
});

test('finds lessons open to someone born in a given month [PART-9c]', async () => {
  const year = Number(wallTimeOf(Date.now()).date.slice(0, 4)) + 1;
  const days = Math.round((Date.parse(`${year}-03-10T12:00:00Z`) - Date.now()) / 86_400_000);
  const offers = {
    everyone: await offer({}, days),
    onTheDay: await offer({ minAge: 10, maxAge: 10 }, days),
    inAugust: await offer({ minAge: 10, maxAge: 10, ageDate: 'aug31' }, days),
    inDecember: await offer({ minAge: 10, maxAge: 10, ageDate: 'dec31' }, days),
  };
  const find = async (born: string) => {
    const names: string[] = [];
    for (const [name, { coach }] of Object.entries(offers)) {
      const { body } = await app.call(null, discoverApi.discoverSlots, { born, coachId: coach.userId });
      if (body.slots.length > 0) names.push(name);
    }
    return names;
  };
  // The lesson is in March, so its season began in the previous September.
  expect(await find(`${year - 10}-03`)).toEqual(['everyone', 'onTheDay', 'inDecember']);
  expect(await find(`${year - 10}-04`)).toEqual(['everyone', 'inDecember']);
  expect(await find(`${year - 11}-04`)).toEqual(['everyone', 'onTheDay', 'inAugust']);
  expect(await find(`${year - 11}-08`)).toEqual(['everyone', 'onTheDay', 'inAugust']);
  expect(await find(`${year - 11}-09`)).toEqual(['everyone', 'onTheDay']);
  expect(await find(`${year - 40}-01`)).toEqual(['everyone']);
});
