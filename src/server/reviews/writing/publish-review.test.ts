import { expect, test } from 'vitest';
import { notificationsApi } from '#domain/notifications/contract.ts';
import { reviewsApi } from '#domain/reviews/contract.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import { outputOf } from '#server/test-support/contract-client.test-support.ts';
import { openFamily } from '#server/test-support/family.test-support.ts';
import { beforeTests, setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { openReviews } from '../reviews.test-support.ts';

const app = setUpTestApp();
const club = beforeTests(() => openClub(app));
const reviews = beforeTests(async () => openReviews(app, club));
const family = openFamily(app);

test('publishes reviews after 24 hours whatever the rating, and held ones after 72 [REVIEW-3a]', async () => {
  const coach = await app.signIn('coach', 'customer');
  const written: string[] = [];
  for (const rating of [1, 2, 3, 4, 5]) {
    const customer = await app.signIn('customer');
    const bookingId = await reviews.teach(customer, { coach });
    const { body } = await reviews.save(customer, bookingId, rating);
    expect(body.review.status).toBe('pending');
    written.push(body.review.reviewId);
  }
  for (const reviewId of written) await reviews.wait(reviewId, 23.9);
  expect((await reviews.list(coach)).reviews).toEqual([]);
  for (const reviewId of written) await reviews.wait(reviewId, 0.2);
  expect((await reviews.list(coach)).reviews.map(({ rating }) => rating).sort()).toEqual([1, 2, 3, 4, 5]);
  // If no admin decides, the review is published without what the checks found.
  const customer = await app.signIn('customer');
  const bookingId = await reviews.teach(customer, { coach });
  const text = 'Call me on 07700 900123 for more about this coach.';
  const { body } = await reviews.save(customer, bookingId, 1, text);
  expect(body.review.status).toBe('held');
  await reviews.wait(body.review.reviewId, 71.9);
  expect((await reviews.list(coach)).rating.reviews).toBe(5);
  await reviews.wait(body.review.reviewId, 0.2);
  expect((await reviews.list(coach)).reviews[0]).toMatchObject({
    rating: 1,
    text: 'Call me on […] for more about this coach.',
  });
  const { notifications } = await outputOf(app.call(coach, notificationsApi.listNotifications, {}));
  expect(notifications.filter(({ kind }) => kind === 'new_review')).toHaveLength(6);
}, 60_000);

test("holds reviews with links, contact details or participants' names for an admin [REVIEW-3d]", async () => {
  const admin = await app.signIn('admin');
  const coach = await app.signIn('coach', 'customer');
  const parent = await app.signIn('customer');
  const child = await family.addChild(parent, { fullName: 'Tabitha Quill' });
  const bookingId = await reviews.teach(parent, { coach, participantId: child });
  const findingsOf = async (text: string) => {
    const { body, error } = await reviews.save(parent, bookingId, 5, text);
    expect(error?.message).toBeUndefined();
    const found = (await reviews.listCases(admin)).find(({ reviewId }) => reviewId === body.review.reviewId);
    expect(found?.kind ?? null).toBe(body.review.status === 'held' ? 'check' : null);
    // The case is due when the review would be published without what the checks found.
    if (found) expect(Date.parse(found.dueAt) - Date.parse(found.openedAt)).toBeCloseTo(72 * 3_600_000, -4);
    return found?.findings ?? [];
  };
  expect(await findingsOf('See https://cheap.example/offer for better lessons.')).toEqual(['link']);
  expect(await findingsOf('Write to me at pat@example.org about this coach.')).toEqual(['contact']);
  expect(await findingsOf("TABITHA's serve is so much better after this.")).toEqual(['name']);
  const html = '<b>Great</b> <script>alert(1)</script> and patient, every time';
  expect(await findingsOf(html)).toEqual([]);
  // An edit from the page of a later lesson is still about the first, in which another family's child took part.
  const other = await app.signIn('customer');
  const friend = await family.addChild(other, { fullName: 'Robert Finch', knownAs: 'Bobby' });
  await reviews.joinLesson(bookingId, other, friend);
  const later = await reviews.teach(parent, { coach, participantId: child, endedHoursAgo: 60 });
  const edited = await reviews.save(parent, later, 5, 'It was lovely to play with Bobby every week.');
  expect(edited.body.review.status).toBe('held');
  expect(await findingsOf(html)).toEqual([]);
  const { reviews: own } = await outputOf(app.call(parent, reviewsApi.listOwn, {}));
  await reviews.wait(own[0]!.reviewId, 25);
  const page = await (await fetch(`${app.url}/coaches/${coach.userId}`)).text();
  expect(page.includes('&lt;script&gt;alert(1)&lt;/script&gt;')).toBe(true);
  expect(page.includes('<script>alert(1)</script>')).toBe(false);
});
