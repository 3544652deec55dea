import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { participantDataApi } from '#domain/account/participant-contract.ts';
import { careApi } from '#domain/accounts/care-contract.ts';
import { guardiansApi } from '#domain/accounts/guardians-contract.ts';
import { participantsApi } from '#domain/accounts/participants-contract.ts';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { formatLessonTime } from '#domain/time.ts';
import { keyOfCardTries } from '#server/payments/card-limits.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import { bornYearsAgo, openFamily } from '#server/test-support/family.test-support.ts';
import { beforeTests, eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { testCards } from '#server/test-support/test-cards.test-support.ts';

const app = setUpTestApp();
const club = beforeTests(() => openClub(app));
const family = openFamily(app);
afterEach(() => club.expectLedgerInOrder());

const bookedOf = async (slotId: string) =>
  (await club.readBookings(slotId)).filter(({ status }) => status === 'booked' || status === 'pending');

/** Publishes two overlapping lessons by different coaches. */
async function publishTwins() {
  const other = await app.signIn('coach');
  const [first, second] = [await club.publish(), await club.publish({ coachId: other.userId })];
  const { startTime } = await club.readSlot(first);
  await club.putOn(second, Date.parse(startTime) + 30 * 60_000);
  return [first, second] as const;
}

test('books for the customer without requiring a participant or care details [BASE-8a]', async () => {
  const customer = await club.join();
  const slotId = await club.publish();
  const { body } = await club.bookUntilDecided(customer, slotId);
  expect(body.outcome).toBe('booked');
  expect(await club.readBookings(slotId)).toMatchObject([
    { customerUserId: customer.userId, participantId: customer.userId },
  ]);
  const { body: read } = await app.call(customer, bookingsApi.getMine, { bookingId: body.bookingId });
  expect(read.booking).toMatchObject({ participant: { isSelf: true }, payerName: null });
  const again = await family.bookFor(customer, slotId, customer.userId);
  expect([again.status, again.error?.message]).toEqual([409, "You've already booked this lesson."]);
});

test('records who takes part and who pays, and names the participant on the receipt [BASE-8b]', async () => {
  const parent = await club.join();
  const participantId = await family.addReadyChild(parent, { fullName: 'Mia Morgan' });
  const slotId = await club.publish();
  const { body } = await family.bookFor(parent, slotId, participantId);
  expect(await club.readBookings(slotId)).toMatchObject([{ customerUserId: parent.userId, participantId }]);
  const { body: read } = await app.call(parent, bookingsApi.getMine, { bookingId: body.bookingId });
  expect(read.booking.participant).toEqual({ participantId, name: 'Mia Morgan', isSelf: false });
  const { body: held } = await app.call(parent, bookingsApi.listHeldSlots, {});
  expect(held.bookings).toMatchObject([{ slotId, participantId }]);
  const receipt = await eventually(async () =>
    (await app.emailsTo(parent.email)).find(({ subject }) => subject.startsWith('Booked:')),
  );
  expect(receipt.text).toContain('For: Mia Morgan');
});

test('requires recent care details to book for a child, but not for the parent [PART-3c]', async () => {
  const parent = await club.join();
  const participantId = await family.addChild(parent, { knownAs: 'Mia' });
  const slotId = await club.publish();
  const missing = await family.bookFor(parent, slotId, participantId);
  expect([missing.status, missing.error]).toMatchObject([
    409,
    {
      code: 'care_needed',
      message: 'Before you book for Mia, please add an emergency contact and anything the coach should know.',
      details: { participantId },
    },
  ]);
  await family.saveCare(parent, participantId);
  await sql`update participant_care set confirmed_at = now() - interval '7 months'
    where participant_id = ${participantId}::uuid`.execute(app.db);
  expect((await family.bookFor(parent, slotId, participantId)).error?.message).toBe(
    "You last confirmed Mia's care details more than 6 months ago. Please check them before you book.",
  );
  expect(await club.readBookings(slotId)).toEqual([]);
  await app.call(parent, careApi.confirmCare, { participantId });
  expect((await family.bookFor(parent, slotId, participantId)).status).toBe(200);
  expect((await club.book(parent, slotId)).status, 'for herself, in the same lesson').toBe(200);
});

test('refuses a booking for a member of another family [BASE-8b]', async () => {
  const parent = await club.join();
  const participantId = await family.addReadyChild(parent);
  const slotId = await club.publish();
  const strangers = [
    await club.join(),
    await app.signIn('customer', 'admin'),
    await app.signIn('customer', 'coach'),
  ];
  for (const stranger of strangers) {
    for (const id of [participantId, parent.userId]) {
      const { status, error } = await family.bookFor(stranger, slotId, id);
      expect([status, error?.message]).toEqual([404, 'This person is not in your family list.']);
    }
  }
  expect((await club.readSlot(slotId)).bookedCount).toBe(0);
});

test('lets family members share a lesson, or have different lessons at the same time [PART-8b]', async () => {
  const parent = await club.join();
  const [mia, leo, ada] = await Promise.all(
    ['Mia Morgan', 'Leo Morgan', 'Ada Morgan'].map((fullName) => family.addReadyChild(parent, { fullName })),
  );
  const [first, second] = await publishTwins();
  const booked = [
    await family.bookFor(parent, first, mia!),
    await family.bookFor(parent, first, leo!),
    await family.bookFor(parent, second, ada!),
    await family.bookFor(parent, second, parent.userId),
  ];
  expect(booked.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const participantsOf = async (slotId: string) =>
    new Set((await bookedOf(slotId)).map(({ participantId }) => participantId));
  expect(await participantsOf(first)).toEqual(new Set([mia, leo]));
  expect(await participantsOf(second)).toEqual(new Set([ada, parent.userId]));
});

test('refuses an overlapping lesson, and names the child and the booked lesson [PART-8a, PART-8c]', async () => {
  const [parent, other] = [await club.join(), await club.join()];
  const mia = await family.addReadyChild(parent, { fullName: 'Mia Morgan', knownAs: 'Mia' });
  await family.shareWith(parent, other, mia);
  const [first, second] = await publishTwins();
  const { bookingId } = (await family.bookFor(parent, first, mia)).body;
  const { startTime, endTime } = await club.readSlot(first);
  const when = formatLessonTime(startTime, endTime, Date.now());
  for (const guardian of [parent, other]) {
    const clash = await family.bookFor(guardian, second, mia);
    expect([clash.status, clash.error]).toMatchObject([
      409,
      {
        code: 'overlap',
        message: `Mia already has “Tennis basics” on ${when} (London time), which is at the same time. You have not been charged.`,
        details: { bookingId },
      },
    ]);
  }
  await eventually(async () => (await club.readBookings(first))[0]!.status === 'booked');
  const twice = await family.bookFor(other, first, mia);
  expect([twice.status, twice.error?.message]).toEqual([409, 'Mia is already booked for this lesson.']);
  expect((await club.book(parent, second)).status).toBe(200);
});

test('books a child into only one lesson when both guardians book simultaneously [PART-8a]', async () => {
  const [parent, other] = [await club.join(), await club.join()];
  const mia = await family.addReadyChild(parent);
  await family.shareWith(parent, other, mia);
  const [first, second] = await publishTwins();
  const answers = await Promise.all([
    ...[parent, other, parent, other].map((guardian) => family.bookFor(guardian, first, mia)),
    ...[parent, other].map((guardian) => family.bookFor(guardian, second, mia)),
  ]);
  await eventually(async () => (await club.readBookings(first)).every(({ status }) => status !== 'pending'));
  await eventually(async () => (await club.readBookings(second)).every(({ status }) => status !== 'pending'));
  expect([...(await bookedOf(first)), ...(await bookedOf(second))]).toHaveLength(1);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
  expect([...(await club.netCharges(first)), ...(await club.netCharges(second))]).toEqual([5000]);
});

test('refuses a booking that another guardian is paying for, without revealing its id', async () => {
  const [parent, other] = [await club.join(testCards.asksAlways), await club.join()];
  const mia = await family.addReadyChild(parent, { knownAs: 'Mia' });
  await family.shareWith(parent, other, mia);
  const slotId = await club.publish();
  const { body } = await family.bookFor(parent, slotId, mia);
  expect(body.outcome).toBe('requiresAction');
  const refused = await family.bookFor(other, slotId, mia);
  expect([refused.status, refused.error]).toEqual([
    409,
    {
      code: 'already_booked',
      message: 'Another guardian is booking this lesson for Mia at the moment.',
      requestId: expect.any(String),
    },
  ]);
  const released = await app.call(parent, bookingsApi.release, { bookingId: body.bookingId });
  expect(released.status).toBe(200);
});

test('gives the last seat to only one of three siblings booked simultaneously', async () => {
  const parent = await club.join();
  const children = await Promise.all(
    ['Ada', 'Ben', 'Cy'].map((fullName) => family.addReadyChild(parent, { fullName })),
  );
  const slotId = await club.publish({ seats: 1 });
  const answers = await Promise.all(children.map((child) => family.bookFor(parent, slotId, child)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  expect(answers.flatMap(({ error }) => error?.code ?? [])).toEqual(['slot_full', 'slot_full']);
});

test('books nothing if the guardian leaves or the child is deleted during the booking', async () => {
  for (const isShared of [true, false]) {
    const [parent, other] = [await club.join(), await club.join()];
    const participantId = await family.addReadyChild(parent);
    if (isShared) await family.shareWith(parent, other, participantId);
    const slotId = await club.publish();
    let booking: ReturnType<typeof family.bookFor> | undefined;
    await app.db.transaction().execute(async (tx) => {
      // The statement that takes the seat waits for this row, after the call has read the facts that determine the
      // booking.
      await sql`insert into rate_limits (key, expires_at_ms)
        values (${keyOfCardTries(parent.userId)}, 0)`.execute(tx);
      booking = family.bookFor(parent, slotId, participantId);
      await eventually(async () => {
        const { rows } = await sql`select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(app.db);
        return rows.length > 0;
      });
      const ended = isShared
        ? await app.call(parent, guardiansApi.leave, { participantId })
        : await app.call(parent, participantDataApi.delete, { participantId });
      expect(ended.status).toBe(200);
    });
    expect((await booking!).status).toBe(404);
    expect(await bookedOf(slotId)).toEqual([]);
  }
});

test("lists each participant's number of upcoming lessons", async () => {
  const parent = await club.join();
  const mia = await family.addReadyChild(parent, { dateOfBirth: bornYearsAgo(8) });
  await family.bookFor(parent, await club.publish(), mia);
  const { body } = await app.call(parent, participantsApi.list, {});
  expect(body.participants.map(({ upcomingLessons }) => upcomingLessons)).toEqual([0, 1]);
});
