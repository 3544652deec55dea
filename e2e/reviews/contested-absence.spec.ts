import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { reviewsApi } from '#domain/reviews/contract.ts';
import { addDays } from '#domain/time.ts';
import { call } from '../support/api.ts';
import { toast } from '../support/booking-page.ts';
import { publishAt } from '../support/club.ts';
import { today, unique } from '../support/coaching.ts';
import { readEmail } from '../support/emails.ts';
import { addChild, bookFor } from '../support/family.ts';
import { expect, expectNoViolationsInBothThemes, test } from '../support/fixtures.ts';
import { endLesson } from '../support/past-lessons.ts';
import { becomePerson, openBrowserOf, openCoach, openCustomer, openDemo } from '../support/people.ts';

test('lets a family contest an absence mark, and an admin decide [REVIEW-1c]', async ({ page, browser }) => {
  const coach = await openCoach('Cora Coach');
  const parent = await openCustomer({ fullName: 'Gill Guardian' });
  const mia = await addChild(parent);
  /** Creates a lesson, booked for the child, that ended this many hours ago. */
  const teach = async (title: string, hoursAgo: number) => {
    const start = { date: addDays(today(), hoursAgo), hour: 10 };
    const slot = await publishAt(coach, start, { title, priceCents: 4500 });
    const bookingId = await bookFor(parent, mia, slot);
    await endLesson(slot, hoursAgo);
    return { slotId: slot.slotId, bookingId, title };
  };
  const came = await teach(unique('Junior tennis'), 2);
  const missed = await teach(unique('Junior football'), 5);
  await call(coach, lessonsApi.markAttendance, { bookingId: missed.bookingId, attended: false });
  const statement = `The gate was locked, so we came late. ${came.title}`;
  await call(parent, reviewsApi.claimAttendance, { bookingId: missed.bookingId, statement: missed.title });

  // The coach marks the child as absent.
  const side = await openBrowserOf(browser, coach);
  await side.goto(`/coach/lesson/${came.slotId}`);
  const absent = side.getByRole('button', { name: 'Absent: Mia Guardian' });
  await absent.click();
  await expect(absent).toHaveAttribute('aria-pressed', 'true');
  await expect(side.getByText('Absent', { exact: true })).toHaveCount(2);

  // The family contests the mark from the list of past lessons.
  await becomePerson(page, parent);
  await page.goto('/customer/my-bookings');
  await page.getByRole('link', { name: `Review Cora Coach: ${came.title}` }).click();
  await expect(page.getByText(/^The coach marked this lesson as missed\./)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send review' })).toHaveCount(0);
  await page.getByRole('button', { name: 'We were there' }).click();
  await expect(page.getByLabel('What happened?')).toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('What happened?').fill(statement);
  await page.getByRole('button', { name: 'We were there' }).click();
  const waiting = page.getByText(/^You've told us that you were there\. An admin will decide/);
  await expect(waiting).toBeVisible();
  await expectNoViolationsInBothThemes(page);

  // An admin accepts this claim and declines the other.
  const desk = await openBrowserOf(browser, await openDemo('admin@demo.test'));
  const openCase = async ({ title }: { title: string }) => {
    await desk.goto('/admin/panel?tab=reviews');
    const row = desk.getByRole('listitem').filter({ hasText: title });
    await row.getByRole('link', { name: '“We were there”' }).click();
    await expect(desk.getByRole('main')).toContainText('Cora Coach');
  };
  await openCase(came);
  await expect(desk.getByRole('region', { name: 'Statement' })).toContainText(statement);
  await desk.getByRole('button', { name: 'They were there' }).click();
  await expect(toast(desk, 'Decision saved')).toBeVisible();
  await expect(desk.getByRole('main')).toContainText('Accepted');
  await openCase(missed);
  await desk.getByRole('button', { name: 'They were not there' }).click();
  await expect(desk.getByRole('main')).toContainText('Declined');
  await desk.context().close();

  // The family's page shows the decision, and this lesson can be reviewed. The other lesson can't.
  await page.getByRole('radio', { name: '4 stars' }).check({ force: true });
  await page.getByLabel('Your review').fill('Patient, even though we came late.');
  await page.getByRole('button', { name: 'Send review' }).click();
  // A test in another file may publish all waiting reviews.
  await expect(page.getByText(/^(Not public yet|Everyone can read it\.)/).first()).toBeVisible();
  await readEmail(parent.email, new RegExp(`^You were there: ${came.title}`));
  await readEmail(parent.email, new RegExp(`^Your lesson stays marked as missed: ${missed.title}`));
  await page.goto('/notifications');
  await page.getByText(`Your lesson stays marked as missed: ${missed.title}`).first().click();
  await expect(page.getByText('An admin has decided that the lesson stays marked as missed.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^(Send review|We were there)$/ })).toHaveCount(0);

  // The coach's page shows the new mark, and the coach is notified of it.
  await expect(absent).toHaveAttribute('aria-pressed', 'false');
  await expect(side.getByRole('listitem').getByText('Completed', { exact: true })).toBeVisible();
  await readEmail(coach.email, new RegExp(`^Attendance changed by an admin: ${came.title}`));
  await side.goto('/notifications');
  await expect(side.getByText(`Attendance changed by an admin: ${came.title}`).first()).toBeVisible();
  await side.context().close();
});
