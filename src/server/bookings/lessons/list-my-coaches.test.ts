import { expect, test } from 'vitest';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import { beforeTests, eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';

const app = setUpTestApp();
const club = beforeTests(() => openClub(app));

test('lists the coaches a customer has booked, with their businesses and lesson counts [BIZ-2b, BOOK-5]', async () => {
  const { db } = app;
  const other = await app.signIn('coach');
  const customer = await club.join();
  await db.transaction().execute(async (tx) => {
    const { businessId } = await tx
      .insertInto('coachingBusinesses')
      .values({ ownerUserId: club.coach.userId, businessName: 'Baseline Tennis' })
      .returning('businessId')
      .executeTakeFirstOrThrow();
    const about = { coachType: 'Tennis', bio: 'Patient with beginners.', hourlyRateCents: 4500 };
    await tx
      .updateTable('coaches')
      .set({ businessId, businessRole: 'owner', ...about })
      .where('coachId', '=', club.coach.userId)
      .execute();
  });

  const slots = [await club.publish(), await club.publish(), await club.publish()];
  const withOther = await club.publish({ coachId: other.userId });
  await club.publish({ coachId: (await app.signIn('coach')).userId });
  for (const slotId of slots.slice(0, 2)) await club.book(customer, slotId);
  const gone = (await club.book(customer, withOther)).body.bookingId;
  await club.book(await club.join(), slots[2]!);
  await app.call(customer, bookingsApi.cancel, { bookingId: gone, expectedRefundCents: 5000 });
  await eventually(async () => (await club.readBookings(withOther))[0]!.status === 'refunded');
  await db
    .updateTable('lessonSlots')
    .set({ status: 'cancelled' })
    .where('slotId', '=', await club.publish())
    .execute();
  // A lesson whose attendance is marked still counts.
  for (const [index, minutes] of [-120, -300].entries()) {
    await club.putAt(slots[index]!, minutes);
    const { bookingId } = (await club.readBookings(slots[index]!))[0]!;
    const marked = await app.call(club.coach, lessonsApi.markAttendance, { bookingId, attended: true });
    expect(marked.body.status).toBe('attended');
  }

  const answer = await app.call(customer, bookingsApi.listMyCoaches, {});
  expect(answer.body.coaches).toEqual([
    {
      coachId: other.userId,
      fullName: expect.stringMatching(/^Person/),
      coachAddress: expect.stringMatching(/^person-/),
      avatarUrl: null,
      coachType: null,
      businessName: null,
      bio: null,
      hourlyRateCents: null,
      isActive: true,
      upcomingSlots: 1,
      ownLessons: 0,
    },
    {
      coachId: club.coach.userId,
      fullName: expect.stringMatching(/^Person/),
      coachAddress: expect.stringMatching(/^person-/),
      avatarUrl: null,
      coachType: 'Tennis',
      businessName: 'Baseline Tennis',
      bio: 'Patient with beginners.',
      hourlyRateCents: 4500,
      isActive: true,
      upcomingSlots: 1,
      ownLessons: 2,
    },
  ]);

  // Lessons of former or unlisted coaches can't be booked.
  for (const change of [{ isActive: false }, { isActive: true, isListed: false }]) {
    await db.updateTable('coaches').set(change).where('coachId', '=', club.coach.userId).execute();
    const later = await app.call(customer, bookingsApi.listMyCoaches, {});
    expect(later.body.coaches[1]).toMatchObject({ isActive: false, upcomingSlots: 0, ownLessons: 2 });
  }

  const nobody = await app.call(await app.signIn('customer'), bookingsApi.listMyCoaches, {});
  expect(nobody.body.coaches).toEqual([]);
  expect((await app.call(null, bookingsApi.listMyCoaches, {})).status).toBe(401);
});
