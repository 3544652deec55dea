import { expect, test } from 'vitest';
import { defaultVerificationPolicy } from '#domain/settings/verification-policy.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import { openFamily } from '#server/test-support/family.test-support.ts';
import { beforeTests, setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { addDocument, askOfCoaches, dayIn } from '#server/verification/verification.test-support.ts';
import { createFactsReader } from './booking-facts.ts';
import { holdSeats, type RequestedSeat } from './hold-seat.ts';

const app = setUpTestApp();
const club = beforeTests(() => openClub(app));
const family = openFamily(app);

test("takes no seat if the coach's documents expire before the seat is held [VERIFY-10a, VERIFY-11]", async () => {
  const { userId: coachId } = club.coach;
  await askOfCoaches(app, defaultVerificationPolicy);
  const [insurance, training] = [
    await addDocument(app, coachId),
    await addDocument(app, coachId, { kind: 'safeguarding' }),
  ];
  await addDocument(app, coachId, { kind: 'criminal_record_check' });
  const { locationId } = await app.db
    .insertInto('locations')
    .values({ coachId, name: 'Pitch', address: '', city: 'Leeds', postcode: '', nation: 'england' })
    .returning('locationId')
    .executeTakeFirstOrThrow();
  const slotIds = [await club.publish(), await club.publish()];
  await app.db.updateTable('lessonSlots').set({ locationId }).where('slotId', 'in', slotIds).execute();
  const parent = await club.join();
  const child = await family.addReadyChild(parent);
  const { userId } = parent;
  const readFacts = createFactsReader(app.db);
  const read = (participantId: string) =>
    Promise.all(
      slotIds.map(async (slotId): Promise<RequestedSeat> => {
        const facts = (await readFacts({ slotId, userId, participantId, ipAddress: null }))!;
        return { slotId, participantId, facts };
      }),
    );
  const set = (documentId: string, validUntil: string) =>
    app.db.updateTable('coachDocuments').set({ validUntil }).where('documentId', '=', documentId).execute();
  const [own, childs] = [await read(userId), await read(child)];
  expect(own.concat(childs).map(({ facts }) => [facts.isCoachActive, facts.isMinorUncovered])).toEqual(
    Array.from({ length: 4 }, () => [true, false]),
  );
  await set(training, dayIn(0));
  // The training counts today, so the coach is listed, but it does not count on the days of the lessons.
  expect((await read(child)).map(({ facts }) => facts.isMinorUncovered)).toEqual([true, true]);
  for (const seats of [childs, childs.slice(0, 1)]) expect(await holdSeats(app.db, userId, seats)).toBeNull();
  await set(insurance, dayIn(-1));
  for (const seats of [own, own.slice(0, 1), childs]) {
    expect(await holdSeats(app.db, userId, seats)).toBeNull();
  }
  await set(insurance, dayIn(0));
  expect(await holdSeats(app.db, userId, own)).toMatchObject({ amountCents: 10_000 });
  await set(training, dayIn(30));
  expect(await holdSeats(app.db, userId, childs)).toMatchObject({ amountCents: 10_000 });
  for (const slotId of slotIds) expect((await club.readSlot(slotId)).bookedCount).toBe(2);
});
