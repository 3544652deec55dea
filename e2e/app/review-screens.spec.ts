import { coachReviewsApi } from '#domain/reviews/coach-contract.ts';
import { reviewsApi } from '#domain/reviews/contract.ts';
import { moderationApi } from '#domain/reviews/moderation-contract.ts';
import { call } from '../support/api.ts';
import { expect, test } from '../support/fixtures.ts';
import { inspect } from '../support/inspection.ts';
import { becomePerson, openCustomer, openDemo } from '../support/people.ts';
import { changeResponse } from '../support/responses.ts';
import { inspectOver, open } from '../support/screens.ts';

test('has no serious axe violations or overflow on review screens [NAV-9b, NAV-9d, UX-5a]', async ({
  page,
}) => {
  const coach = await openDemo('coach@demo.test');
  const { reviews } = await call(coach, coachReviewsApi.listAboutMe, {});
  const replied = reviews.find(({ reply }) => reply)!;
  for (const [path, text] of [
    [`/coaches/${coach.userId}/reviews`, 'Verified booking'],
    ['/reviews-policy', 'Who can write'],
    [`/reviews/${replied.reviewId}/report`, 'Reason'],
    [`/reviews/${replied.reviewId}/decision`, 'Only the author'],
  ] as const) {
    await open(page, path, text);
    await inspect(page, path);
  }
  await becomePerson(page, await openCustomer({ card: null }));
  await open(page, '/customer/reviews', 'No reviews yet');
  await inspect(page, 'no reviews');

  const customer = await openDemo('customer@demo.test');
  const own = await call(customer, reviewsApi.listOwn, {});
  const lesson = own.open.at(-1)!;
  await becomePerson(page, customer);
  await open(page, '/customer/reviews', 'You can review');
  await inspect(page, 'my reviews');
  await open(page, `/customer/reviews/${lesson.bookingId}`, 'Your review');
  await page.getByRole('button', { name: 'Send review' }).click();
  await expect(page.getByText('Choose one to five stars.')).toBeVisible();
  await inspect(page, 'write a review');
  await changeResponse(page, reviewsApi.getOwn, (found) => ({
    ...found,
    refusal: 'The coach marked this lesson as missed.',
    claim: 'possible' as const,
  }));
  await open(page, `/customer/reviews/${lesson.bookingId}`, 'Were you there?');
  await inspect(page, 'we were there');

  await becomePerson(page, coach);
  await open(page, '/coach/reviews', 'Verified booking');
  await inspect(page, 'reviews about me');
  await inspectOver(page, 'reply', /^Reply to/);

  const admin = await openDemo('admin@demo.test');
  const { cases } = await call(admin, moderationApi.listCases, {});
  await becomePerson(page, admin);
  await open(page, '/admin/panel?tab=reviews', 'Decide by');
  await inspect(page, 'review cases');
  const reported = cases.find(({ kind }) => kind === 'report')!;
  await open(page, `/admin/reviews/${reported.caseId}`, 'History');
  await inspect(page, 'review case');
  await inspectOver(page, 'remove a review', 'Remove');
});
