import { bookingOf } from '../support/booking-page.ts';
import { publishAt, soon } from '../support/club.ts';
import { addChild, bookFor } from '../support/family.ts';
import { expect, test } from '../support/fixtures.ts';
import { inspect } from '../support/inspection.ts';
import { becomePerson, openCoach, openCustomer } from '../support/people.ts';
import { dialogOf, inspectOver, open } from '../support/screens.ts';

test('has no serious axe violations or overflow on family and register screens [NAV-9b, NAV-9d, UX-5a]', async ({
  page,
}) => {
  const coach = await openCoach();
  const lesson = { ...(await publishAt(coach, soon(), { seats: 4 })), priceCents: 0 };
  const parent = await openCustomer({ card: null, fullName: 'Gill Guardian' });
  await becomePerson(page, parent);
  await open(page, '/account/family', 'Nobody else yet');
  await inspect(page, 'family of one');
  await inspectOver(page, 'add someone', 'Add someone');
  const child = await addChild(parent);
  await bookFor(parent, child, lesson);
  await open(page, '/account/family', 'Care details up to date');
  await inspect(page, 'family');
  await open(page, `/account/family/${child}`, 'Last confirmed on');
  await page.getByText('History').click();
  await expect(page.getByText('Notes about health and needs: I agree')).toBeVisible();
  await inspect(page, 'participant');
  await inspectOver(page, 'change details', 'Change');
  await page.getByRole('button', { name: 'Change' }).nth(1).click();
  await expect(dialogOf(page).getByLabel('Allergies')).toBeVisible();
  await inspect(page, 'care details');
  await open(page, `/account/family/${parent.userId}`, 'Optional for you.');
  await inspect(page, 'oneself');
  await page.goto(bookingOf(lesson));
  await expect(dialogOf(page).getByText('Who is it for?')).toBeVisible();
  await inspect(page, 'who is it for');

  await becomePerson(page, coach);
  await open(page, `/coach/lesson/${lesson.slotId}`, 'Mia Guardian');
  await inspect(page, 'lesson of a child');
  await open(page, '/coach/registers', 'Your lessons');
  await inspect(page, 'registers');
  await open(page, `/coach/registers/${lesson.slotId}`, 'Mia Guardian');
  await inspect(page, 'register');
});
