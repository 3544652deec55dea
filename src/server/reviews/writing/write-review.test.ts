import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { notificationsApi } from '#domain/notifications/contract.ts';
import { reviewsApi } from '#domain/reviews/contract.ts';
import { moderationApi } from '#domain/reviews/moderation-contract.ts';
import { apiAreas } from '#server/api-areas.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import { outputOf, type Someone } from '#server/test-support/contract-client.test-support.ts';
import { writeRefund } from '#server/test-support/lessons.test-support.ts';
import { beforeTests, eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { testCards } from '#server/test-support/test-cards.test-support.ts';
import { inviteReviewers } from '../invite-reviewers.ts';
import { kindText, openReviews } from '../reviews.test-support.ts';

const app = setUpTestApp();
const club = beforeTests(() => openClub(app));
const reviews = beforeTests(async () => openReviews(app, club));

const refusalOf = async (person: Someone, bookingId: string) =>
  (await outputOf(app.call(person, reviewsApi.getOwn, { bookingId }))).refusal;
const listOpen = async (customer: Someone) =>
  (await outputOf(app.call(customer, reviewsApi.listOwn, {}))).open.map(({ bookingId }) => bookingId);

test('lets only the payer of an attended or unmarked lesson review it [REVIEW-1a]', async () => {
  const [customer, other] = [await app.signIn('customer'), await app.signIn('customer')];
  const coaches = await Promise.all([1, 2, 3, 4].map(() => app.signIn('coach', 'customer')));
  const attended = await reviews.teach(customer, { coach: coaches[0]!, endedHoursAgo: 1 });
  const unmarked = await reviews.teach(customer, { coach: coaches[1]!, attended: null, endedHoursAgo: 47 });
  const longUnmarked = await reviews.teach(customer, {
    coach: coaches[2]!,
    attended: null,
    endedHoursAgo: 49,
  });
  const missed = await reviews.teach(customer, { coach: coaches[3]!, attended: false, endedHoursAgo: 60 });
  expect((await reviews.save(other, attended)).status).toBe(404);
  expect((await reviews.save(null, attended)).status).toBe(401);
  expect((await reviews.save(customer, unmarked)).error?.message).toMatch(
    /marked attendance, or 48 hours after/,
  );
  expect((await reviews.save(customer, missed)).error?.message).toMatch(/marked this lesson as missed/);
  const payer = await club.join();
  const booked = await club.bookUntilDecided(payer, await club.publish());
  expect((await reviews.save(payer, booked.body.bookingId)).error?.message).toMatch(/once it is over/);
  for (const bookingId of [attended, longUnmarked]) {
    expect(await refusalOf(customer, bookingId)).toBeNull();
    expect((await reviews.save(customer, bookingId)).status).toBe(200);
  }
  await expect(
    sql`insert into reviews (booking_id, coach_id, customer_user_id, written_for, period, rating, body, status)
      values (${missed}, ${coaches[3]!.userId}, ${other.userId}, 'self', daterange(current_date, current_date + 365), 5,
        ${kindText}, 'pending')`.execute(app.db),
  ).rejects.toThrow(/a lesson that its author paid for/);
});

test('accepts reviews of paid lessons, even refunded ones, but not of free lessons [REVIEW-1, REVIEW-1g]', async () => {
  const coach = await app.signIn('coach', 'customer');
  const [guest, payer] = [await app.signIn('customer'), await app.signIn('customer')];
  const free = await reviews.teach(guest, { coach, priceCents: 0 });
  const missed = await reviews.teach(guest, { coach, priceCents: 0, attended: false, endedHoursAgo: 80 });
  const paid = await reviews.teach(payer, { coach, endedHoursAgo: 90 });
  await writeRefund(app.db, paid, { cents: 5000, feeCents: 0 });

  const refused =
    "Free lessons can't be reviewed. You can review the coach after a lesson that you've paid for.";
  expect(await refusalOf(guest, free)).toBe(refused);
  expect((await reviews.save(guest, free)).error?.message).toBe(refused);
  const claim = { bookingId: missed, statement: 'We were there from the beginning.' };
  expect((await app.call(guest, reviewsApi.claimAttendance, claim)).error?.message).toBe(refused);
  const insert = sql`
    insert into reviews (booking_id, coach_id, customer_user_id, written_for, period, rating, body, status)
    values (${free}, ${coach.userId}, ${guest.userId}, 'self', daterange(current_date, current_date + 365), 5,
      ${kindText}, 'pending')`;
  await expect(insert.execute(app.db)).rejects.toThrow(/a lesson that its author paid for/);

  await inviteReviewers(app.db);
  const openOf = async (person: Someone) => {
    const [own, received] = await Promise.all([
      outputOf(app.call(person, reviewsApi.listOwn, {})),
      outputOf(app.call(person, notificationsApi.listNotifications, {})),
    ]);
    const invited = received.notifications.filter(({ kind }) => kind === 'review_invitation');
    return [own.open.map(({ bookingId }) => bookingId), invited.length];
  };
  expect(await openOf(guest)).toEqual([[], 0]);
  expect(await openOf(payer)).toEqual([[paid], 1]);
  expect((await reviews.save(payer, paid, 1)).status).toBe(200);
});

test('accepts one to five stars and 20 to 1,000 characters [REVIEW-1b]', async () => {
  const customer = await app.signIn('customer');
  const bookingId = await reviews.teach(customer);
  for (const [rating, text] of [
    [0, kindText],
    [6, kindText],
    [4.5, kindText],
    [5, 'x'.repeat(19)],
    [5, `${' '.repeat(30)}short`],
    [5, 'x'.repeat(1001)],
    [5, `Control \u0007 character in here`],
  ] as const) {
    expect((await reviews.save(customer, bookingId, rating, text)).status).toBe(422);
  }
  for (const [rating, text] of [
    [1, 'x'.repeat(20)],
    [5, 'x'.repeat(1000)],
  ] as const) {
    const { body } = await reviews.save(customer, bookingId, rating, text);
    expect(body.review).toMatchObject({ rating, text });
  }
});

test('lets an admin decide whether a family marked as absent was there [REVIEW-1c, REVIEW-2]', async () => {
  const admin = await app.signIn('admin');
  const [customer, liar] = [await app.signIn('customer'), await app.signIn('customer')];
  const bookingId = await reviews.teach(customer, { attended: false });
  const claimed = await reviews.teach(liar, { attended: false, endedHoursAgo: 80 });
  const statement = 'We were there from the beginning.';
  expect((await app.call(liar, reviewsApi.claimAttendance, { bookingId, statement })).status).toBe(404);
  for (const [person, id] of [
    [customer, bookingId],
    [liar, claimed],
  ] as const) {
    const input = { bookingId: id, statement };
    expect((await app.call(person, reviewsApi.claimAttendance, input)).status).toBe(200);
    expect((await app.call(person, reviewsApi.claimAttendance, input)).status).toBe(409);
    expect((await reviews.save(person, id)).status).toBe(409);
  }
  const cases = await reviews.listCases(admin);
  expect(cases.slice(-2)).toMatchObject([
    { kind: 'attendance', bookingId, statement },
    { kind: 'attendance', bookingId: claimed },
  ]);
  const decide = (caseId: string, decision: 'accept' | 'decline') =>
    app.call(admin, moderationApi.decideCase, { caseId, decision });
  const [mine, theirs] = cases.slice(-2).map(({ caseId }) => caseId);
  expect((await decide(mine!, 'accept')).status).toBe(200);
  expect((await decide(mine!, 'decline')).error?.message).toBe('This case has already been decided.');
  expect((await decide(theirs!, 'decline')).status).toBe(200);
  expect((await reviews.save(liar, claimed)).status).toBe(409);
  // The coach can't silence the customer by changing the mark.
  expect((await reviews.markAttendance(club.coach, bookingId, false)).status).toBe(200);
  expect((await reviews.save(customer, bookingId, 1)).status).toBe(200);
  const { notifications } = await outputOf(app.call(customer, notificationsApi.listNotifications, {}));
  const decision = notifications.find(({ title }) => title === 'You were there: Tennis basics');
  expect(decision).toMatchObject({
    summary: 'You can now review the lesson.',
    path: `/customer/reviews/${bookingId}`,
  });
});

test('allows one editable review per customer and coach every 12 months [REVIEW-1d]', async () => {
  const customer = await app.signIn('customer');
  const bookingId = await reviews.teach(customer);
  const again = await reviews.teach(customer, { endedHoursAgo: 50 });
  const first = await Promise.all([reviews.save(customer, bookingId, 4), reviews.save(customer, again, 4)]);
  // If two requests arrive at the same time, one may be refused. Only one review is stored.
  expect(first.map(({ status }) => status).sort()[0]).toBe(200);
  const edited = await reviews.save(customer, again, 2, 'Not what I hoped for, this time.');
  expect(edited.body.review).toMatchObject({ rating: 2, text: 'Not what I hoped for, this time.' });
  const { reviews: own } = await outputOf(app.call(customer, reviewsApi.listOwn, {}));
  expect(own).toMatchObject([{ rating: 2, status: 'pending' }]);
  const { reviewId } = own[0]!;
  await reviews.wait(reviewId, 25);
  // An edit hides a published review until the checks and the delay are over.
  await reviews.save(customer, bookingId, 3, 'Better the second time. Thank you.');
  expect((await app.call(null, reviewsApi.get, { reviewId })).status).toBe(404);
  await reviews.wait(reviewId, 25);
  const { body } = await app.call(null, reviewsApi.get, { reviewId });
  expect(body.review).toMatchObject({ rating: 3, isEdited: true });
  const wait = (days: number) =>
    app.db.transaction().execute(async (tx) => {
      await sql`alter table reviews disable trigger reviews_keep_their_lesson`.execute(tx);
      await sql`update reviews set period = daterange(lower(period) - ${sql.lit(days)}::integer,
          upper(period) - ${sql.lit(days)}::integer)
        where review_id = ${reviewId}`.execute(tx);
      await sql`alter table reviews enable trigger reviews_keep_their_lesson`.execute(tx);
    });
  const newYear = await reviews.teach(customer, { endedHoursAgo: 10 });
  const countAfterSaving = async (rating: number) => {
    expect((await reviews.save(customer, newYear, rating)).status).toBe(200);
    return (await outputOf(app.call(customer, reviewsApi.listOwn, {}))).reviews.length;
  };
  // 12 months are 365 or 366 days.
  await wait(364);
  expect(await countAfterSaving(4)).toBe(1);
  await wait(2);
  expect(await countAfterSaving(5)).toBe(2);
}, 90_000);

test('accepts only one review of a coach from five accounts with the same card [REVIEW-1d]', async () => {
  const accounts = [
    await club.join(),
    await club.join(),
    await club.join(),
    await club.join(),
    await club.join(),
  ];
  const bookings: string[] = [];
  for (const account of accounts) {
    const slotId = await club.publish();
    bookings.push((await club.bookUntilDecided(account, slotId)).body.bookingId);
    await club.putAt(slotId, -(160 + 2 * bookings.length) * 60);
  }
  const before = Number(
    (await app.db.selectFrom('reviews').select(sql<number>`count(*)`.as('n')).executeTakeFirst())!.n,
  );
  const saved = await Promise.all(accounts.map((account, at) => reviews.save(account, bookings[at]!)));
  const statuses = saved.map(({ status }) => status).sort();
  expect(statuses).toEqual([200, 409, 409, 409, 409]);
  // A lesson that would be refused isn't offered for review.
  for (const account of accounts) expect(await listOpen(account)).toEqual([]);
  expect(saved.find(({ status }) => status === 409)?.error?.message).toMatch(/same card/);
  const after = Number(
    (await app.db.selectFrom('reviews').select(sql<number>`count(*)`.as('n')).executeTakeFirst())!.n,
  );
  expect(after - before).toBe(1);
}, 90_000);

test('keeps reviews open for 90 days after the lesson [REVIEW-1e]', async () => {
  const [inTime, late] = [await app.signIn('customer'), await app.signIn('customer')];
  const [first, second] = [
    await reviews.teach(inTime, { endedHoursAgo: 90 * 24 - 1 }),
    await reviews.teach(late, { endedHoursAgo: 90 * 24 + 1 }),
  ];
  expect((await reviews.save(late, second)).error?.message).toMatch(/Reviews are open for 90 days/);
  expect((await reviews.save(inTime, first)).status).toBe(200);
});

test('offers a lesson for review for 90 days after an admin accepts "We were there" [REVIEW-1e]', async () => {
  const [customer, admin] = [await app.signIn('customer'), await app.signIn('admin')];
  const bookingId = await reviews.teach(customer, { attended: false, endedHoursAgo: 89 * 24 });
  const statement = 'We were there from the beginning.';
  await outputOf(app.call(customer, reviewsApi.claimAttendance, { bookingId, statement }));
  const { caseId } = (await reviews.listCases(admin)).find((one) => one.bookingId === bookingId)!;
  await outputOf(app.call(admin, moderationApi.decideCase, { caseId, decision: 'accept' }));
  const wait = async (days: number) => {
    await sql`update bookings set during = tstzrange(lower(during) - make_interval(days => ${days}),
        upper(during) - make_interval(days => ${days})) where booking_id = ${bookingId}::uuid`.execute(
      app.db,
    );
    await sql`update review_cases set opened_at = opened_at - make_interval(days => ${days}),
        decided_at = decided_at - make_interval(days => ${days}) where case_id = ${caseId}::uuid`.execute(
      app.db,
    );
  };
  await wait(89);
  expect([await refusalOf(customer, bookingId), await listOpen(customer)]).toEqual([null, [bookingId]]);
  await wait(2);
  expect(await refusalOf(customer, bookingId)).toMatch(/Reviews are open for 90 days/);
  expect(await listOpen(customer)).toEqual([]);
});

test("refuses reviews by the coach's team and of lessons paid for with its cards [REVIEW-1f]", async () => {
  const [owner, colleague] = [await app.signIn('coach', 'customer'), await app.signIn('coach', 'customer')];
  await app.db.transaction().execute(async (tx) => {
    const { businessId } = await tx
      .insertInto('coachingBusinesses')
      .values({ ownerUserId: owner.userId, businessName: 'Team of two' })
      .returning('businessId')
      .executeTakeFirstOrThrow();
    for (const [{ userId }, businessRole] of [
      [owner, 'owner'],
      [colleague, 'employee'],
    ] as const) {
      await tx
        .updateTable('coaches')
        .set({ businessId, businessRole })
        .where('coachId', '=', userId)
        .execute();
    }
  });
  for (const [author, coach] of [
    [colleague, owner],
    [owner, colleague],
  ] as const) {
    const bookingId = await reviews.teach(author, { coach });
    expect((await reviews.save(author, bookingId)).error?.message).toMatch(
      /their teams can't review each other/,
    );
  }
  // A stranger's account uses the colleague's card.
  await club.saveCard(colleague, testCards.mastercard);
  const stranger = await club.join(testCards.mastercard);
  const slotId = await club.publish({ coachId: owner.userId });
  const { bookingId } = (await club.bookUntilDecided(stranger, slotId)).body;
  await club.putAt(slotId, -70 * 60);
  // Cards saved before fingerprints were stored are read from Stripe.
  await app.db.deleteFrom('cardFingerprints').where('userId', '=', stranger.userId).execute();
  expect((await reviews.save(stranger, bookingId)).error?.message).toMatch(
    /a card belonging to the coach's team/,
  );
}, 60_000);

test('invites all eligible reviewers once in 12 months, at least a day after a lesson [REVIEW-2]', async () => {
  const coach = await app.signIn('coach', 'customer');
  const people = await Promise.all([1, 2, 3, 4, 5].map(() => app.signIn('customer')));
  const [happy, angry, early, missed, unmarked] = people as [Someone, Someone, Someone, Someone, Someone];
  await reviews.teach(happy, { coach, endedHoursAgo: 25 });
  await reviews.teach(happy, { coach, endedHoursAgo: 30 });
  const angryBooking = await reviews.teach(angry, { coach, endedHoursAgo: 26 });
  await reviews.teach(early, { coach, endedHoursAgo: 23 });
  await reviews.teach(missed, { coach, attended: false, endedHoursAgo: 27 });
  await reviews.teach(unmarked, { coach, attended: null, endedHoursAgo: 28 });
  // Someone who complained is invited too.
  await sql`insert into refund_requests (booking_id, amount_cents, borne_by, reason, needs_second_admin, status, asked_by,
      decided_by, decided_at)
    values (${angryBooking}, 500, 'coach', 'Unhappy', false, 'declined', ${coach.userId}, ${coach.userId}, now())`.execute(
    app.db,
  );
  const invitations = async (person: Someone) =>
    (await outputOf(app.call(person, notificationsApi.listNotifications, {}))).notifications.filter(
      ({ kind }) => kind === 'review_invitation',
    );
  const listAll = async () => Promise.all(people.map(async (person) => (await invitations(person)).length));
  await Promise.all([inviteReviewers(app.db), inviteReviewers(app.db)]);
  expect(await listAll()).toEqual([1, 1, 0, 0, 0]);
  const shift = (person: Someone, hours: number) =>
    sql`
    update bookings set during = tstzrange(lower(during) - ${sql.lit(`${hours} hours`)}::interval, upper(during) - ${sql.lit(`${hours} hours`)}::interval)
    where customer_user_id = ${person.userId}`.execute(app.db);
  await shift(early, 2);
  await shift(unmarked, 21);
  await inviteReviewers(app.db);
  await inviteReviewers(app.db);
  expect(await listAll()).toEqual([1, 1, 1, 0, 1]);
  // Another lesson brings a second invitation only 12 months after the first.
  await reviews.teach(happy, { coach, endedHoursAgo: 24.2 });
  const inviteAfter = async (days: number) => {
    await sql`update review_invitations set period = daterange(lower(period) - ${sql.lit(days)}::integer,
        upper(period) - ${sql.lit(days)}::integer)
      where customer_user_id = ${happy.userId}`.execute(app.db);
    await inviteReviewers(app.db);
    return (await invitations(happy)).length;
  };
  // 12 months are 365 or 366 days.
  expect([await inviteAfter(364), await inviteAfter(2)]).toEqual([1, 2]);
  const [{ title }, other] = [(await invitations(happy))[0]!, (await invitations(angry))[0]!];
  // Everyone gets the same text. It offers no reward and doesn't depend on earlier messages.
  expect(other.title).toBe(title);
  for (const person of [happy, angry]) {
    const { text } = await eventually(async () =>
      (await app.emailsTo(person.email)).find(({ subject }) => subject === title),
    );
    expect(text).toContain('there is no reward for either');
    expect(text).not.toMatch(/voucher|discount|prize/i);
  }
}, 60_000);

test('invites nobody after a lesson that began more than 7 days ago [REVIEW-2]', async () => {
  const coach = await app.signIn('coach', 'customer');
  const [inTime, late] = [await app.signIn('customer'), await app.signIn('customer')];
  const weekHours = 7 * 24;
  // The lessons take half an hour. Two hours leave room for a change of the clocks.
  const inTimeBooking = await reviews.teach(inTime, { coach, endedHoursAgo: weekHours - 2.5 });
  const lateBooking = await reviews.teach(late, { coach, endedHoursAgo: weekHours + 1.5 });
  await inviteReviewers(app.db);
  const invitedTo = async (person: Someone) =>
    (await outputOf(app.call(person, notificationsApi.listNotifications, {}))).notifications
      .filter(({ kind }) => kind === 'review_invitation')
      .map(({ path }) => path);
  expect(await invitedTo(inTime)).toEqual([`/customer/reviews/${inTimeBooking}`]);
  expect(await invitedTo(late)).toEqual([]);
  expect(await listOpen(late)).toEqual([lateBooking]);
});

test('gives coaches no way to rate customers [REVIEW-3b]', () => {
  const rating = apiAreas
    .flatMap(({ calls }) => calls)
    .filter(({ input }) => 'rating' in ((input as { shape?: object }).shape ?? {}))
    .map(({ operationId }) => operationId);
  // Both calls are for families: the private answer about a lesson, and the review.
  expect(rating.sort()).toEqual(['answer_lesson', 'save_review']);
});
