import { bookingsApi } from '#domain/bookings/contract.ts';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { reviewsApi } from '#domain/reviews/contract.ts';
import { call, fromOwnAddress, productUrl } from '../support/api.ts';
import { readEmail } from '../support/emails.ts';
import { expect, test } from '../support/fixtures.ts';
import { openTaughtCoach } from '../support/past-lessons.ts';
import { becomePerson, openBrowserOf, openCustomer, openDemo } from '../support/people.ts';

/** Publishes waiting reviews, as if a day had passed. */
async function letADayPass(): Promise<void> {
  const answer = await fetch(`${productUrl}/sandbox/published-reviews`, {
    method: 'POST',
    headers: fromOwnAddress(),
  });
  expect(answer.status).toBe(200);
}

test('writes, replies to, reports, removes and restores a review [REVIEW-4e]', async ({ page, browser }) => {
  const text = `Half of the lesson was spent on picking up balls ${Date.now().toString(36)}.`;
  const { coach: taught, customer } = await openTaughtCoach('Rita Rally');
  const lesson = { coachId: taught.userId, coachName: taught.fullName };
  const { bookings } = await call(customer, bookingsApi.listMine, { view: 'past' });
  await call(taught, lessonsApi.markAttendance, { bookingId: bookings[0]!.bookingId, attended: true });

  // The customer writes the review, from the list of lessons.
  await becomePerson(page, customer);
  await page.goto('/customer/my-bookings');
  await page.getByRole('link', { name: 'My reviews' }).click();
  await page.getByRole('link', { name: `Write a review of ${lesson.coachName}` }).click();
  await page.getByRole('button', { name: 'Send review' }).click();
  await expect(page.getByText('Choose one to five stars.')).toBeVisible();
  await expect(page.getByText('Please write at least 20 characters.')).toBeVisible();
  await page.getByRole('radio', { name: '2 stars' }).check({ force: true });
  await page.getByLabel('Your review').fill(text);
  await page.getByRole('button', { name: 'Send review' }).click();
  await expect(page.getByText('Not public yet')).toBeVisible();
  const publicPage = `/coaches/${lesson.coachId}/reviews`;
  const visitor = await (
    await browser.newContext({ javaScriptEnabled: false, baseURL: productUrl })
  ).newPage();
  await visitor.goto(publicPage);
  await expect(visitor.getByText(text)).toHaveCount(0);
  await letADayPass();
  await visitor.reload();
  const item = visitor.getByRole('listitem').filter({ hasText: text });
  await expect(item).toContainText('Verified booking');
  await expect(item.getByRole('img', { name: '2 of 5 stars' })).toBeVisible();
  await expect(page.getByText('Everyone can read it.', { exact: true })).toBeVisible();

  // The coach replies to the review and reports it.
  const coach = await openBrowserOf(browser, taught);
  await coach.goto('/coach/reviews');
  const row = coach.getByRole('listitem').filter({ hasText: text });
  await row.getByRole('button', { name: /^Reply to/ }).click();
  await coach.getByLabel('Your reply').fill('See https://example.org for our balls.');
  await coach.getByRole('button', { name: 'Publish reply' }).click();
  await expect(coach.getByText("A reply can't contain a link. Please remove it.")).toBeVisible();
  await coach.getByLabel('Your reply').fill('Sorry about that. We now have a ball machine.');
  await coach.getByRole('button', { name: 'Publish reply' }).click();
  await expect(row).toContainText('We now have a ball machine.');
  await visitor.reload();
  await expect(item).toContainText(`Reply from ${lesson.coachName}`);
  await row.getByRole('link', { name: /^Report the review/ }).click();
  await coach.getByRole('radio', { name: 'Abusive' }).check({ force: true });
  await coach.getByLabel("What's wrong?").fill('It makes fun of our club.');
  await coach.getByRole('button', { name: 'Send report' }).click();
  await expect(coach.getByText('Thank you. An admin will look at this review')).toBeVisible();

  // An admin removes the review.
  const admin = await openBrowserOf(browser, await openDemo('admin@demo.test'));
  const openCase = async (name: string) => {
    await admin.goto('/admin/panel?tab=reviews');
    await admin.getByRole('listitem').filter({ hasText: text }).getByRole('link', { name }).click();
    await expect(admin.getByRole('heading', { level: 1, name })).toBeVisible();
  };
  await openCase('Review reported');
  await expect(admin.getByRole('main')).toContainText('It makes fun of our club.');
  await admin.getByRole('button', { name: 'Remove' }).click();
  const dialog = admin.getByRole('dialog', { name: 'Remove this review?' });
  await expect(dialog.getByRole('radio', { name: 'Abusive' })).toBeChecked();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(admin.getByRole('list', { name: 'History' })).toContainText('Removed: Abusive');
  await visitor.reload();
  await expect(visitor.getByText(text)).toHaveCount(0);

  // The author appeals, and the admin restores the review.
  const { text: email } = await readEmail(customer.email, /^We removed your review/);
  expect(email).toContain('you can appeal once');
  await expect(page.getByText('An admin removed it. Reason: Abusive.')).toBeVisible();
  await page.getByRole('link', { name: 'See the decision' }).click();
  await page.getByLabel('Why is the decision wrong?').fill('Every word of it is true.');
  await page.getByRole('button', { name: 'Appeal' }).click();
  await expect(page.getByText("You've appealed. An admin will look at the decision again")).toBeVisible();
  // The demo's only admin decides. If another test has just made somebody an admin, that admin has to decide instead.
  await expect(async () => {
    await openCase('Review appealed');
    await expect(admin.getByRole('main')).toContainText('Every word of it is true.');
    await admin.getByRole('button', { name: 'Show it' }).click({ timeout: 5_000 });
    await expect(admin.getByRole('button', { name: 'Show it' })).toBeHidden();
  }).toPass();
  await expect(admin.getByRole('list', { name: 'History' })).toContainText('Restored');
  await expect(page.getByText('This decision is final.')).toBeVisible();
  await visitor.reload();
  await expect(item).toContainText('We now have a ball machine.');
  await coach.goto('/notifications');
  await expect(coach.getByText('We decided to show the review that you reported').first()).toBeVisible();
});

test("reports an empty list, and a booking, review or decision that isn't found", async ({ page }) => {
  const customer = await openDemo('customer@demo.test');
  await becomePerson(page, await openCustomer({ card: null }));
  await page.goto('/customer/reviews');
  await expect(page.getByText('No reviews yet')).toBeVisible();
  const { reviews } = await call(customer, reviewsApi.listOwn, {});
  await page.goto(`/customer/reviews/${reviews[0]!.bookingId}`);
  await expect(page.getByRole('heading', { name: 'Booking not found' })).toBeVisible();
  await page.goto('/reviews/00000000-0000-4000-8000-000000000001/report');
  await expect(page.getByText("This review isn't available")).toBeVisible();
  await page.goto('/reviews/00000000-0000-4000-8000-000000000001/decision');
  await expect(page.getByRole('heading', { name: 'Decision not found' })).toBeVisible();
});

test("shows ratings in discover and in a lesson's dialog, and explains reviews [REVIEW-6b]", async ({
  page,
}) => {
  const coach = await openDemo('coach@demo.test');
  await page.goto(`/customer/discover?coachId=${coach.userId}`);
  const rating = page
    .getByRole('main')
    .getByRole('link', { name: /of 5 stars, \d+ reviews\. How reviews work$/ });
  await expect(rating.first()).toHaveAttribute('href', '/reviews-policy');
  await page.getByRole('main').getByRole('heading', { level: 3 }).getByRole('link').first().click();
  const inDialog = page.getByRole('dialog').getByRole('link', { name: /How reviews work$/ });
  await expect(inDialog).toHaveAttribute('href', '/reviews-policy');
  await page.goto(`/coaches/${coach.userId}`);
  await page.getByRole('link', { name: 'How reviews work', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'How reviews work' })).toBeVisible();
});
