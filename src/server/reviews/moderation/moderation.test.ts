import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { ownAccountApi } from '#domain/account/contract.ts';
import { adminApi } from '#domain/admin/contract.ts';
import { recurringJobs } from '#domain/jobs.ts';
import { notificationsApi } from '#domain/notifications/contract.ts';
import { coachReviewsApi } from '#domain/reviews/coach-contract.ts';
import { reviewsApi } from '#domain/reviews/contract.ts';
import { moderationApi } from '#domain/reviews/moderation-contract.ts';
import { removalReasonNames, workingDaysAfter } from '#domain/reviews/rules.ts';
import { wallTimeOf } from '#domain/time.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { openLive } from '#server/realtime/live-client.test-support.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import { outputOf, type Someone } from '#server/test-support/contract-client.test-support.ts';
import { openFamily } from '#server/test-support/family.test-support.ts';
import { beforeTests, setUpTestApp, untilLockIsAwaited } from '#server/test-support/test-app.test-support.ts';
import { reviewJobs } from '../jobs.ts';
import { openReviews } from '../reviews.test-support.ts';
import { readReviewFigures } from './read-figures.ts';

const app = setUpTestApp({ env: { TRUST_PROXY: '1' } });
const club = beforeTests(() => openClub(app));
const reviews = beforeTests(async () => openReviews(app, club));
const family = openFamily(app);

const statement = 'This is not true at all.';
const reportFrom = (
  host: number,
  reviewId: string,
  { who = null, about = 'review' }: { who?: Someone | null; about?: 'review' | 'reply' } = {},
) =>
  app.call(
    who,
    reviewsApi.report,
    { reviewId, about, reason: 'abusive', statement },
    { headers: { 'x-forwarded-for': `203.0.113.${host}` } },
  );
const decide = (
  admin: Someone,
  caseId: string,
  decision: 'show' | 'remove',
  reason?: 'abusive' | 'private_data',
) => app.call(admin, moderationApi.decideCase, { caseId, decision, reason });
const titlesOf = async (person: Someone) =>
  (await outputOf(app.call(person, notificationsApi.listNotifications, {}))).notifications
    .filter(({ kind }) => kind === 'review_decision')
    .map(({ title }) => title);
const openCase = async (admin: Someone, reviewId: string, kind: string) =>
  (await reviews.listCases(admin)).find((one) => one.reviewId === reviewId && one.kind === kind)!;
const decisionsFor = async (person: Someone, reviewId: string) =>
  (await outputOf(app.call(person, reviewsApi.getDecision, { reviewId }))).decisions;

test('lets anyone report a review once, and leaves it up until an admin decides [REVIEW-4a]', async () => {
  const coach = await app.signIn('coach', 'customer');
  const admin = await app.signIn('admin');
  const reviewId = await reviews.publish(await app.signIn('customer'), { coach });
  const live = openLive(app.url, () => admin.token);
  onTestFinished(() => void live.close());
  const queue = live.join('admin');
  expect(await queue.answered()).toBe('SUBSCRIBED');
  for (const host of [1, 1, 2]) expect((await reportFrom(host, reviewId)).status).toBe(200);
  await queue.next(({ payload }) => payload.kind === 'reviews');
  const cases = (await reviews.listCases(admin)).filter((one) => one.reviewId === reviewId);
  expect(cases).toMatchObject([
    { kind: 'report', reason: 'abusive', statement, openedBy: null },
    { kind: 'report', reason: 'abusive' },
  ]);
  expect((await reviews.list(coach)).reviews).toMatchObject([{ reviewId }]);
  // The coach can also report the review, but only once, whatever the IP address. A reply that doesn't exist can't be
  // reported.
  for (const host of [3, 5]) expect((await reportFrom(host, reviewId, { who: coach })).status).toBe(200);
  const all = (await reviews.listCases(admin)).filter((one) => one.reviewId === reviewId);
  expect(all.map(({ openedBy }) => openedBy !== null)).toEqual([false, false, true]);
  expect((await reportFrom(3, reviewId, { about: 'reply' })).status).toBe(404);
  for (let tries = 0; tries < 12; tries += 1) await reportFrom(4, reviewId);
  expect((await reportFrom(4, reviewId)).status).toBe(429);
});

test('makes cases due in five working days; removes reviews for one of five reasons [REVIEW-4b]', async () => {
  const coach = await app.signIn('coach', 'customer');
  const admin = await app.signIn('admin');
  const reviewId = await reviews.publish(await app.signIn('customer'), {
    coach,
    rating: 1,
    text: 'Bad in every way, sadly.',
  });
  await reportFrom(11, reviewId, { who: coach });
  await reportFrom(12, reviewId);
  const { caseId, openedAt, dueAt } = await openCase(admin, reviewId, 'report');
  expect(wallTimeOf(dueAt).date).toBe(workingDaysAfter(Date.parse(openedAt), 5));
  expect((await decide(admin, caseId, 'remove')).error?.message).toBe(
    'Choose one of the reasons. A low rating is never a reason.',
  );
  const raw = { caseId, decision: 'remove', reason: 'bad' } as never;
  expect((await app.call(admin, moderationApi.decideCase, raw)).status).toBe(422);
  expect(removalReasonNames).toEqual(['not_a_customer', 'unlawful', 'private_data', 'abusive', 'off_topic']);
  const both = await Promise.all([decide(admin, caseId, 'remove', 'abusive'), decide(admin, caseId, 'show')]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  // A removal closes the other reports. A decision to show the review leaves them open.
  const left = (await reviews.listCases(admin)).filter((one) => one.reviewId === reviewId);
  const removed = both[0].status === 200;
  expect(left).toHaveLength(removed ? 0 : 1);
  if (!removed) expect((await decide(admin, left[0]!.caseId, 'remove', 'abusive')).status).toBe(200);
  expect((await reviews.list(coach)).reviews).toEqual([]);
  expect((await app.call(null, reviewsApi.get, { reviewId })).status).toBe(404);
  const { body: log } = await app.call(admin, adminApi.listAudit, { search: reviewId });
  expect(log.entries[0]).toMatchObject({ action: 'review.removed' });
});

test('notifies the author and the reporter, who can each appeal once [REVIEW-4c]', async () => {
  const coach = await app.signIn('coach', 'customer');
  const [admin, second, third, author, reporter] = [
    await app.signIn('admin'),
    await app.signIn('admin'),
    await app.signIn('admin'),
    await app.signIn('customer'),
    await app.signIn('customer'),
  ];
  const reviewId = await reviews.publish(author, { coach, rating: 1 });
  const appeal = (who: Someone) => app.call(who, reviewsApi.appeal, { reviewId, about: 'review', statement });
  expect((await appeal(author)).status).toBe(409);
  expect((await appeal(reporter)).status).toBe(404);
  await reportFrom(21, reviewId, { who: reporter });
  await decide(admin, (await openCase(admin, reviewId, 'report')).caseId, 'show');
  expect(await titlesOf(author)).toEqual(['We decided to show your review']);
  expect(await titlesOf(reporter)).toEqual(['We decided to show the review that you reported']);
  expect(await decisionsFor(reporter, reviewId)).toMatchObject([
    { role: 'reporter', outcome: 'shown', appeal: 'possible' },
  ]);
  expect((await appeal(author)).status).toBe(409);
  expect((await appeal(reporter)).status).toBe(200);
  expect((await appeal(reporter)).error?.message).toMatch(/You can appeal only once/);
  await decide(second, (await openCase(admin, reviewId, 'appeal')).caseId, 'remove', 'private_data');
  expect((await reviews.list(coach)).reviews).toEqual([]);
  expect(await decisionsFor(author, reviewId)).toMatchObject([
    { outcome: 'removed', reason: 'private_data', appeal: 'possible' },
  ]);
  expect((await appeal(reporter)).status).toBe(409);
  expect((await appeal(author)).status).toBe(200);
  await decide(third, (await openCase(admin, reviewId, 'appeal')).caseId, 'show');
  expect((await reviews.list(coach)).reviews).toMatchObject([{ reviewId }]);
  expect(await titlesOf(author)).toHaveLength(3);
  expect(await titlesOf(reporter)).toHaveLength(3);
  expect(await decisionsFor(author, reviewId)).toMatchObject([{ outcome: 'shown', appeal: 'decided' }]);
  expect((await app.call(coach, reviewsApi.getDecision, { reviewId })).status).toBe(404);
});

const isLeftToOthers = async (admin: Someone, caseId: string) =>
  (await outputOf(app.call(admin, moderationApi.getCase, { caseId }))).isForAnother;
const leaveIt = /Please leave it to another admin\.$/;

test('leaves an appeal to an admin other than the one who decided [REVIEW-4f]', async () => {
  const [coach, author] = [await app.signIn('coach', 'customer'), await app.signIn('customer')];
  const [admin, second] = [await app.signIn('admin'), await app.signIn('admin')];
  const reviewId = await reviews.publish(author, { coach });
  await reportFrom(61, reviewId);
  const report = await openCase(admin, reviewId, 'report');
  expect(await isLeftToOthers(admin, report.caseId)).toBe(false);
  expect((await decide(admin, report.caseId, 'remove', 'abusive')).status).toBe(200);
  await app.call(author, reviewsApi.appeal, { reviewId, about: 'review', statement });
  const { caseId } = await openCase(admin, reviewId, 'appeal');
  expect([await isLeftToOthers(admin, caseId), await isLeftToOthers(second, caseId)]).toEqual([true, false]);
  const refused = await decide(admin, caseId, 'remove', 'abusive');
  expect([refused.status, refused.error!.message]).toEqual([409, expect.stringMatching(leaveIt)]);
  expect((await reviews.list(coach)).reviews).toEqual([]);
  expect((await decide(second, caseId, 'show')).status).toBe(200);
  expect((await reviews.list(coach)).reviews).toMatchObject([{ reviewId }]);
});

test('lets no admin decide on a review that they wrote, received or reported [REVIEW-4f]', async () => {
  const [coach, author, reporter] = [
    await app.signIn('coach', 'customer', 'admin'),
    await app.signIn('customer', 'admin'),
    await app.signIn('customer', 'admin'),
  ];
  const reviewId = await reviews.publish(author, { coach, rating: 1 });
  await reportFrom(62, reviewId, { who: reporter });
  await reportFrom(65, reviewId);
  const reports = (await reviews.listCases(coach)).filter((one) => one.reviewId === reviewId);
  expect(reports).toHaveLength(2);
  // A removal would decide both reports.
  for (const { caseId } of reports) {
    for (const who of [coach, author, reporter]) {
      expect((await decide(who, caseId, 'remove', 'abusive')).error?.message).toMatch(leaveIt);
    }
  }
  expect((await reviews.list(coach)).reviews).toMatchObject([{ reviewId }]);
  // The coach, who is also an admin, marked this customer as absent.
  const customer = await app.signIn('customer');
  const bookingId = await reviews.teach(customer, { coach, attended: false });
  await outputOf(app.call(customer, reviewsApi.claimAttendance, { bookingId, statement }));
  const claim = (await reviews.listCases(coach)).find((one) => one.bookingId === bookingId)!;
  const decline = (who: Someone) =>
    app.call(who, moderationApi.decideCase, { caseId: claim.caseId, decision: 'decline' });
  expect((await decline(coach)).error?.message).toMatch(leaveIt);
  expect((await decline(author)).status).toBe(200);
});

test('lets the only admin decide an appeal against their own decision [REVIEW-4f]', async () => {
  const [coach, author, admin] = [
    await app.signIn('coach', 'customer'),
    await app.signIn('customer'),
    await app.signIn('admin'),
  ];
  await sql`update profiles set roles = array_remove(roles, 'admin') where user_id <> ${admin.userId}`.execute(
    app.db,
  );
  const reviewId = await reviews.publish(author, { coach });
  await reportFrom(63, reviewId);
  await decide(admin, (await openCase(admin, reviewId, 'report')).caseId, 'remove', 'abusive');
  await app.call(author, reviewsApi.appeal, { reviewId, about: 'review', statement });
  const { caseId } = await openCase(admin, reviewId, 'appeal');
  expect(await isLeftToOthers(admin, caseId)).toBe(false);
  expect((await decide(admin, caseId, 'show')).status).toBe(200);
});

test('reminds admins once of a case on its last day [REVIEW-4b]', async () => {
  const coach = await app.signIn('coach', 'customer');
  const admin = await app.signIn('admin');
  const reviewId = await reviews.publish(await app.signIn('customer'), { coach });
  await reportFrom(64, reviewId);
  const { caseId } = await openCase(admin, reviewId, 'report');
  expect(recurringJobs['reviews.cases-due'], 'every morning').toBe('10 8 * * *');
  const remindToday = reviewJobs(app)['reviews.cases-due'];
  const remindersAfter = async (dueInHours: number) => {
    await sql`update review_cases set due_at = now() + interval '1 hour' * ${dueInHours}
      where case_id = ${caseId}`.execute(app.db);
    await remindToday();
    const { notifications } = await outputOf(app.call(admin, notificationsApi.listNotifications, {}));
    return notifications.filter(
      ({ title, path }) => path.endsWith(caseId) && title.startsWith('Please decide today'),
    ).length;
  };
  expect(await remindersAfter(25)).toBe(0);
  expect(await remindersAfter(23)).toBe(1);
  expect(await remindersAfter(-1)).toBe(1);
  const late = await app.signIn('admin');
  await decide(admin, caseId, 'show');
  await remindToday();
  const { notifications } = await outputOf(app.call(late, notificationsApi.listNotifications, {}));
  expect(notifications.filter(({ path }) => path.endsWith(caseId))).toEqual([]);
});

test('keeps an append-only log and publishes its figures [REVIEW-4d]', async () => {
  const coach = await app.signIn('coach', 'customer');
  const admin = await app.signIn('admin');
  const before = await readReviewFigures(app.db);
  const reviewId = await reviews.publish(await app.signIn('customer'), { coach });
  await reportFrom(31, reviewId);
  await decide(admin, (await openCase(admin, reviewId, 'report')).caseId, 'remove', 'private_data');
  const after = await readReviewFigures(app.db);
  expect(after).toEqual({
    ...before,
    published: before.published + 1,
    reported: before.reported + 1,
    removed: { ...before.removed, private_data: before.removed.private_data + 1 },
  });
  for (const change of [sql`update moderation_log set action = 'kept'`, sql`delete from moderation_log`]) {
    await expect(change.execute(app.db)).rejects.toThrow('append-only');
  }
  const page = await (await fetch(`${app.url}/reviews-policy`)).text();
  expect(page.includes(`Reviews published</dt><dd class="font-medium">${after.published}<`)).toBe(true);
  expect(page.includes(`private data</dt><dd class="font-medium">${after.removed.private_data}<`)).toBe(true);
  const { log } = await outputOf(
    app.call(admin, moderationApi.getCase, {
      caseId: (
        await app.db
          .selectFrom('reviewCases')
          .select('caseId')
          .where('reviewId', '=', reviewId)
          .executeTakeFirstOrThrow()
      ).caseId,
    }),
  );
  expect(log.map(({ action }) => action)).toEqual(['removed', 'reported', 'published', 'submitted']);
});

test('lets the coach reply once, in public, without naming a child [REVIEW-3c, REVIEW-4a]', async () => {
  const [coach, other, admin] = [
    await app.signIn('coach', 'customer'),
    await app.signIn('coach'),
    await app.signIn('admin'),
  ];
  const parent = await app.signIn('customer');
  const participantId = await family.addChild(parent, { fullName: 'Tabitha Quill', knownAs: 'Tabby' });
  const reviewId = await reviews.publish(parent, { coach, participantId });
  const { bookingId } = await app.db
    .selectFrom('reviews')
    .select('bookingId')
    .where('reviewId', '=', reviewId)
    .executeTakeFirstOrThrow();
  const second = await app.signIn('customer');
  const friend = await family.addChild(second, { fullName: 'Robert Finch', knownAs: 'Bobby' });
  await reviews.joinLesson(bookingId!, second, friend);
  const reply = (who: Someone, text: string) => app.call(who, coachReviewsApi.reply, { reviewId, text });
  expect((await reply(other, 'Thank you')).status).toBe(404);
  for (const name of ['Tabitha', 'Tabby', 'Finch', 'Bobby']) {
    expect((await reply(coach, `${name} was a joy to teach`)).error?.fields?.text, name).toMatch(
      /names someone/,
    );
  }
  const twice = await Promise.all([reply(coach, 'Thank you very much'), reply(coach, 'Thank you very much')]);
  expect(twice.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect((await reviews.list(coach)).reviews).toMatchObject([{ reply: { text: 'Thank you very much' } }]);
  await expect(
    sql`update review_replies set body = 'Other' where review_id = ${reviewId}`.execute(app.db),
  ).rejects.toThrow('replies once');
  // A reply can be reported once. It stays visible until a decision, and is removed without the review.
  for (const _ of [1, 2]) expect((await reportFrom(41, reviewId, { about: 'reply' })).status).toBe(200);
  const cases = (await reviews.listCases(admin)).filter((one) => one.reviewId === reviewId);
  expect(cases).toMatchObject([{ kind: 'report', about: 'reply' }]);
  expect((await reviews.list(coach)).reviews).toMatchObject([{ reply: { text: 'Thank you very much' } }]);
  await decide(admin, (await openCase(admin, reviewId, 'report')).caseId, 'remove', 'abusive');
  expect((await reviews.list(coach)).reviews).toMatchObject([{ reviewId, reply: null }]);
  expect(await titlesOf(coach)).toEqual(['We removed your reply']);
});

test('publishes a held review as written after 24 hours if an admin clears it', async () => {
  const [coach, admin, author] = [
    await app.signIn('coach', 'customer'),
    await app.signIn('admin'),
    await app.signIn('customer'),
  ];
  const bookingId = await reviews.teach(author, { coach });
  const text = 'Better than anything on lessons.example.com, really.';
  const { review } = await outputOf(reviews.save(author, bookingId, 5, text));
  await decide(admin, (await openCase(admin, review.reviewId, 'check')).caseId, 'show');
  expect((await reviews.list(coach)).reviews).toEqual([]);
  await reviews.wait(review.reviewId, 24.1);
  expect((await reviews.list(coach)).reviews).toMatchObject([{ text }]);
});

/** Saves the author's review again while a transaction has locked it, as an admin's decision does. */
async function editWhileLocked(
  author: Someone,
  { bookingId, reviewId }: { bookingId: string; reviewId: string },
  decideIn: (tx: Tx) => Promise<unknown>,
) {
  let edit: ReturnType<typeof reviews.save> | undefined;
  await app.db.transaction().execute(async (tx) => {
    await sql`select from reviews where review_id = ${reviewId}::uuid for update`.execute(tx);
    edit = reviews.save(author, bookingId, 2, 'Worse than I had hoped, on the whole.');
    await untilLockIsAwaited(app.db);
    await decideIn(tx);
  });
  return edit!;
}

test('refuses to edit a review that an admin removes at the same moment', async () => {
  const author = await app.signIn('customer');
  const bookingId = await reviews.teach(author);
  const { reviewId } = (await outputOf(reviews.save(author, bookingId))).review;
  const edit = await editWhileLocked(author, { bookingId, reviewId }, (tx) =>
    sql`update reviews set status = 'removed' where review_id = ${reviewId}::uuid`.execute(tx),
  );
  expect([edit.status, edit.error?.message]).toEqual([
    409,
    "An admin removed this review, so it can't be edited.",
  ]);
  const { reviews: own } = await outputOf(app.call(author, reviewsApi.listOwn, {}));
  expect(own).toMatchObject([{ reviewId, status: 'removed', rating: 5 }]);
});

test('leaves the check of a review unlocked until an edit has locked the review', async () => {
  const author = await app.signIn('customer');
  const bookingId = await reviews.teach(author);
  const held = reviews.save(author, bookingId, 5, 'Better than anything on lessons.example.com, really.');
  const { reviewId } = (await outputOf(held)).review;
  const edit = await editWhileLocked(author, { bookingId, reviewId }, (tx) =>
    sql`select from review_cases where review_id = ${reviewId}::uuid for update nowait`.execute(tx),
  );
  expect(edit.body.review).toMatchObject({ rating: 2, status: 'pending' });
});

test('deletes the reviews of a deleted author or coach, and keeps the log', async () => {
  const coach = await app.signIn('coach', 'customer');
  const [leaving, staying] = [await app.signIn('customer'), await app.signIn('customer')];
  const gone = await reviews.publish(leaving, { coach, text: 'Unrepeatable words about this coach.' });
  const kept = await reviews.publish(staying, { coach });
  await app.call(coach, coachReviewsApi.reply, { reviewId: gone, text: 'Thank you' });
  await reportFrom(51, gone, { who: staying });
  expect((await app.call(leaving, ownAccountApi.deleteAccount, {})).error?.message).toBeUndefined();
  expect((await reviews.list(coach)).reviews).toMatchObject([{ reviewId: kept }]);
  const { rows } = await sql<{
    action: string;
  }>`select action from moderation_log where review_id = ${gone}`.execute(app.db);
  expect(rows.map(({ action }) => action)).toEqual(['submitted', 'published', 'reported']);
  expect((await app.call(coach, ownAccountApi.deleteAccount, {})).error?.message).toBeUndefined();
  expect((await outputOf(app.call(staying, reviewsApi.listOwn, {}))).reviews).toEqual([]);
});
