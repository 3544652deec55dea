import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { careApi } from '#domain/accounts/care-contract.ts';
import { accountsApi } from '#domain/accounts/contract.ts';
import { adminApi } from '#domain/admin/contract.ts';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { registerApi } from '#domain/bookings/register-contract.ts';
import { disputesApi } from '#domain/payments/disputes-contract.ts';
import { reviewsApi } from '#domain/reviews/contract.ts';
import { moderationApi } from '#domain/reviews/moderation-contract.ts';
import { openReviews } from '#server/reviews/reviews.test-support.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import { outputOf } from '#server/test-support/contract-client.test-support.ts';
import { openFamily } from '#server/test-support/family.test-support.ts';
import { changeInStripe } from '#server/test-support/stripe-simulator.test-support.ts';
import { beforeTests, eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';

const app = setUpTestApp();
const club = beforeTests(() => openClub(app));
const family = openFamily(app);

// Today both names are the same, so the test gives coaches another public name.
const publicName = 'Ana S.';

test("shows families a coach's public name, and admins the full name", async () => {
  await sql`
    create or replace function coach_public_name(coach profiles) returns text language sql immutable parallel safe
    as $$ select ${sql.lit(publicName)} $$`.execute(app.db);
  const [admin, parent] = [await app.signIn('admin'), await club.join()];
  const { coach } = club;
  const { fullName } = (await outputOf(app.call(coach, accountsApi.getProfile, {}))).profile!;
  const participantId = await family.addReadyChild(parent);
  const slotId = await club.publish({ startsInHours: 30 });
  const { bookingId } = await outputOf(family.bookFor(parent, slotId, participantId));
  const booked = await eventually(async () =>
    (await club.readBookings(slotId)).find(({ status }) => status === 'booked'),
  );
  await outputOf(app.call(coach, registerApi.open, { slotId }));
  const { reads } = await outputOf(app.call(parent, careApi.listCareReads, { participantId }));
  expect(reads.map(({ readerName }) => readerName)).toEqual([publicName]);
  expect((await outputOf(app.call(parent, bookingsApi.getMine, { bookingId }))).booking.coachName).toBe(
    publicName,
  );

  const { id: disputeId } = await changeInStripe(app, 'disputes', {
    payment_intent: booked.stripePaymentIntentId,
  });
  const { dispute } = await eventually(async () => {
    const { status, body } = await app.call(admin, disputesApi.getDispute, { disputeId });
    return status === 200 && body;
  });
  expect(dispute.bookings.map(({ coachName }) => coachName)).toEqual([fullName]);

  const reviews = openReviews(app, club);
  const reviewId = await reviews.publish(parent);
  await outputOf(
    app.call(coach, reviewsApi.report, {
      reviewId,
      about: 'review',
      reason: 'abusive',
      statement: 'This is not true at all.',
    }),
  );
  const [found] = await reviews.listCases(admin);
  expect(found!.coachName).toBe(fullName);
  await outputOf(app.call(admin, moderationApi.decideCase, { caseId: found!.caseId, decision: 'show' }));
  const { entries } = await outputOf(app.call(admin, adminApi.listAudit, { search: reviewId }));
  expect(entries[0]!.subjectName).toBe(`${fullName}, ${found!.customerName}`);
});
