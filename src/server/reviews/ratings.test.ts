import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { coachReviewsApi } from '#domain/reviews/coach-contract.ts';
import { reviewsApi } from '#domain/reviews/contract.ts';
import { moderationApi } from '#domain/reviews/moderation-contract.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import { outputOf, type Someone } from '#server/test-support/contract-client.test-support.ts';
import { openFamily } from '#server/test-support/family.test-support.ts';
import { beforeTests, eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { openReviews } from './reviews.test-support.ts';

const app = setUpTestApp();
const club = beforeTests(() => openClub(app));
const reviews = beforeTests(async () => openReviews(app, club));
const family = openFamily(app);

const profileOf = async (coach: Someone) => (await fetch(`${app.url}/coaches/${coach.userId}`)).text();
const textOf = (html: string) =>
  html
    .replace(/<(script|style)[^>]*>.*?<\/\1>/gs, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');
const ratingDataOf = (html: string) => {
  const [, json = '{}'] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html) ?? [];
  const graph = (JSON.parse(json)['@graph'] ?? []) as Record<string, unknown>[];
  return graph.find((node) => 'aggregateRating' in node);
};
const writeRatings = async (coach: Someone, ratings: number[]) => {
  const written: string[] = [];
  for (const rating of ratings) {
    written.push(
      await reviews.publish(await app.signIn('customer'), {
        coach,
        rating,
        text: `Review number ${rating} of this coach.`,
      }),
    );
  }
  return written;
};

test('shows the mean of the last 24 months once there are three reviews [REVIEW-5a]', async () => {
  const coach = await app.signIn('coach', 'customer');
  const [oldest, second] = await writeRatings(coach, [1, 5, 4, 4]);
  expect((await reviews.list(coach)).rating).toEqual({
    reviews: 4,
    mean: 3.5,
    distribution: [1, 0, 0, 2, 1],
  });
  const html = await profileOf(coach);
  expect(textOf(html)).toMatch(/Rating: 3\.5 4 reviews in the last 24 months/);
  expect(textOf(html)).toMatch(/5 stars 1 4 stars 2 3 stars 0 2 stars 0 1 star 1/);
  const publish = (reviewId: string, ago: string) =>
    sql`update reviews set published_at = now() - ${ago}::interval where review_id = ${reviewId}`.execute(
      app.db,
    );
  await publish(oldest!, '24 months 1 day');
  await publish(second!, '23 months 20 days');
  const { rating, reviews: all } = await reviews.list(coach);
  expect(rating).toEqual({ reviews: 3, mean: 4.3, distribution: [0, 0, 0, 2, 1] });
  // A review that no longer counts is still listed.
  expect(all).toHaveLength(4);
});

test('leaves reviews that are removed or checked again out of the rating [REVIEW-5a]', async () => {
  const [coach, admin] = [await app.signIn('coach', 'customer'), await app.signIn('admin')];
  const [removed] = await writeRatings(coach, [1, 5, 4, 4]);
  const author = await app.signIn('customer');
  await reviews.publish(author, { coach, rating: 2 });
  expect((await reviews.list(coach)).rating).toMatchObject({ reviews: 5, mean: 3.2 });
  const report = { reviewId: removed!, about: 'review', reason: 'abusive', statement: 'Not true.' } as const;
  await outputOf(app.call(null, reviewsApi.report, report));
  const { caseId } = (await reviews.listCases(admin)).find(({ reviewId }) => reviewId === removed)!;
  const decision = { caseId, decision: 'remove', reason: 'abusive' } as const;
  await outputOf(app.call(admin, moderationApi.decideCase, decision));
  const counting = await reviews.list(coach);
  expect(counting.rating).toEqual({ reviews: 4, mean: 3.8, distribution: [0, 1, 0, 2, 1] });
  // An edit hides a published review until the checks and the delay are over.
  const { reviews: own } = await outputOf(app.call(author, reviewsApi.listOwn, {}));
  await outputOf(reviews.save(author, own[0]!.bookingId, 3));
  const { rating } = await reviews.list(coach);
  expect(rating).toEqual({ reviews: 3, mean: 4.3, distribution: [0, 0, 0, 2, 1] });
  expect(textOf(await profileOf(coach))).toMatch(/Rating: 4\.3 3 reviews in the last 24 months/);
});

test('shows "New" and the number of reviews if there are fewer than three [REVIEW-5b, REVIEW-5c]', async () => {
  const coach = await app.signIn('coach', 'customer');
  expect(textOf(await profileOf(coach))).toContain('No reviews yet');
  await writeRatings(coach, [2, 4]);
  expect((await reviews.list(coach)).rating).toMatchObject({ reviews: 2, mean: null });
  const text = textOf(await profileOf(coach));
  expect(text).toContain('New · 2 reviews');
  expect(text).not.toContain('Rating:');
  // Newest first, page by page.
  expect(text.indexOf('Review number 4')).toBeGreaterThan(0);
  expect(text.indexOf('Review number 4')).toBeLessThan(text.indexOf('Review number 2'));
  const first = await outputOf(app.call(coach, coachReviewsApi.listAboutMe, { limit: 1 }));
  expect(first.reviews.map(({ rating }) => rating)).toEqual([4]);
  const second = await outputOf(
    app.call(coach, coachReviewsApi.listAboutMe, { limit: 1, cursor: first.nextCursor! }),
  );
  expect([second.reviews.map(({ rating }) => rating), second.nextCursor]).toEqual([[2], null]);
  const page = await fetch(`${app.url}/coaches/${coach.userId}/reviews?after=${first.nextCursor}`);
  const older = textOf(await page.text());
  expect(older).toContain('Review number 2');
  expect(older).not.toContain('Review number 4');
  expect((await fetch(`${app.url}/coaches/${coach.userId}/reviews?after=nonsense`)).status).toBe(200);
  expect((await fetch(`${app.url}/coaches/nobody/reviews`)).status).toBe(404);
});

test("links a profile's newest reviews to the rest [REVIEW-5c]", async () => {
  const coach = await app.signIn('coach', 'customer');
  await writeRatings(coach, [1, 2, 3, 4, 5, 5]);
  const profile = await profileOf(coach);
  expect(textOf(profile)).not.toContain('Review number 1');
  const [, rest] = /href="([^"]*\/reviews\?after=[^"]+)"/.exec(profile)!;
  const page = await fetch(new URL(rest!.replaceAll('&amp;', '&'), app.url));
  const older = textOf(await page.text());
  expect(older).toContain('Review number 1');
  expect(older).not.toContain('Review number 2');
});

test("shows a review's author and month, but never who took part [REVIEW-6a]", async () => {
  const coach = await app.signIn('coach', 'customer');
  const [adult, parent] = [await app.signIn('customer'), await app.signIn('customer')];
  for (const [{ userId }, fullName] of [
    [adult, 'Quentin Marsh'],
    [parent, 'Rosalind Quill'],
  ] as const) {
    await app.db.updateTable('profiles').set({ fullName }).where('userId', '=', userId).execute();
  }
  const participantId = await family.addChild(parent, { fullName: 'Tabitha Quill' });
  await reviews.publish(adult, { coach });
  await reviews.publish(parent, { coach, participantId });
  const { reviews: all } = await reviews.list(coach);
  expect(all.map(({ author }) => author)).toEqual(['Parent of a junior', 'Quentin M.']);
  expect(all[0]!.month).toMatch(/^\d{4}-\d\d$/);
  const html = await profileOf(coach);
  const month = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'Europe/London',
    month: 'long',
    year: 'numeric',
  }).format(Date.now());
  expect(textOf(html)).toMatch(new RegExp(`Quentin M\\. Verified booking · ${month}`));
  expect(html).not.toMatch(/Tabitha|Rosalind|Marsh/);
  expect(JSON.stringify(all)).not.toMatch(/Tabitha|Rosalind|Marsh/);
});

test('links every rating to "How reviews work" [REVIEW-6b]', async () => {
  const coach = await app.signIn('coach', 'customer');
  await writeRatings(coach, [5, 5, 5]);
  const html = await profileOf(coach);
  expect(html.match(/href="\/reviews-policy"/g)!.length).toBeGreaterThanOrEqual(2);
  expect(html.includes('>How reviews work</a>')).toBe(true);
  const all = await (await fetch(`${app.url}/coaches/${coach.userId}/reviews`)).text();
  expect(all).toMatch(/href="\/reviews-policy"[^>]*>How reviews work<\/a>/);
  const response = await fetch(`${app.url}/reviews-policy`);
  expect(response.status).toBe(200);
  const text = textOf(await response.text());
  for (const sentence of [
    'Only the person who paid for a lesson can review its coach',
    'Fake and rewarded reviews are banned',
    'checked automatically for links, contact details and names',
    'A low rating is never a reason',
    'the plain average of the stars of all published reviews from the last 24 months',
  ]) {
    expect(text.includes(sentence), sentence).toBe(true);
  }
});

test('gives search engines the rating only if several businesses are listed [REVIEW-7a]', async () => {
  const coach = await app.signIn('coach', 'customer');
  await writeRatings(coach, [5, 4, 4]);
  const open = async (owner: Someone, businessName: string) =>
    app.db.transaction().execute(async (tx) => {
      const { businessId } = await tx
        .insertInto('coachingBusinesses')
        .values({ ownerUserId: owner.userId, businessName })
        .returning('businessId')
        .executeTakeFirstOrThrow();
      await tx
        .updateTable('coaches')
        .set({ businessId, businessRole: 'owner' })
        .where('coachId', '=', owner.userId)
        .execute();
    });
  await open(coach, 'Only club');
  expect(ratingDataOf(await profileOf(coach))).toBeUndefined();
  const few = await app.signIn('coach', 'customer');
  await open(few, 'Second club');
  await writeRatings(few, [5, 5]);
  const found = await eventually(async () => ratingDataOf(await profileOf(coach)));
  expect(found).toMatchObject({
    '@type': 'LocalBusiness',
    aggregateRating: { ratingValue: '4.3', reviewCount: 3, bestRating: 5, worstRating: 1 },
  });
  expect(textOf(await profileOf(coach))).toContain('4.3');
  expect(ratingDataOf(await profileOf(few))).toBeUndefined();
  // A business whose only coach is not listed is nothing to compare with.
  const list = (isListed: boolean) =>
    app.db.updateTable('coaches').set({ isListed }).where('coachId', '=', few.userId).execute();
  await list(false);
  await eventually(async () => ratingDataOf(await profileOf(coach)) === undefined);
  await list(true);
  await eventually(async () => ratingDataOf(await profileOf(coach)));
});
