import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { uncoveredDay, uncoveredLocation } from '#domain/bookings/slot-changes.ts';
import { catalogueApi } from '#domain/catalogue/contract.ts';
import { addDays } from '#domain/time.ts';
import { call } from '../support/api.ts';
import { publishAt } from '../support/club.ts';
import { today } from '../support/coaching.ts';
import { addChild, bookFor } from '../support/family.ts';
import { expect, expectNoViolationsInBothThemes, test } from '../support/fixtures.ts';
import { becomePerson, openCoach, openCustomer } from '../support/people.ts';
import { addAccepted, addCheck, applyPolicy } from '../support/trust-file.ts';

test("reports at the date and location fields that checks don't cover an under-18 [VERIFY-11a]", async ({
  page,
}) => {
  const coach = await openCoach();
  const lesson = await publishAt(coach, { date: addDays(today(), 20), hour: 10 }, { seats: 3 });
  const venues = [];
  for (const [name, nation] of [
    ['Leeds Court', 'england'],
    ['Leith Court', 'scotland'],
  ] as const) {
    const input = { name, city: 'Town', nation };
    venues.push((await call(coach, catalogueApi.createLocation, input)).location.locationId);
  }
  const edit = { slotId: lesson.slotId, priceCents: 0, minCapacity: 2, maxCapacity: 3 };
  await call(coach, lessonsApi.editSlot, { ...edit, locationId: venues[0]! });
  await addCheck(coach);
  await addAccepted(coach, 'safeguarding', addDays(today(), 30));
  const guardian = await openCustomer();
  await bookFor(guardian, await addChild(guardian), lesson);
  const asked = { askedOf: 'under_18s', effect: 'badge' } as const;
  await applyPolicy(coach, { criminal_record_check: asked, safeguarding: asked });
  await becomePerson(page, coach);
  await page.goto(`/coach/lesson/${lesson.slotId}`);
  await page.getByRole('button', { name: 'Move', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Move lesson' });
  await dialog.getByLabel('New date').click();
  const calendar = page.getByRole('dialog', { name: 'Calendar' });
  const day = calendar.locator(`[data-day="${addDays(today(), 40)}"] button`);
  await expect(calendar.getByRole('grid')).toBeVisible();
  while ((await day.count()) === 0) await calendar.getByRole('button', { name: /next month/i }).click();
  await day.click();
  await dialog.getByRole('button', { name: 'Move lesson' }).click();
  await expect(dialog.getByLabel('New date')).toHaveAccessibleDescription(uncoveredDay.message);
  await expectNoViolationsInBothThemes(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const editing = page.getByRole('dialog', { name: 'Edit lesson' });
  await editing.getByLabel('Location').selectOption(venues[1]!);
  await editing.getByRole('button', { name: 'Save changes' }).click();
  await expect(editing.getByLabel('Location')).toHaveAccessibleDescription(
    new RegExp(`^${uncoveredLocation.message}`),
  );
  await editing.getByLabel('Location').selectOption(venues[0]!);
  await expect(editing.getByText(uncoveredLocation.message)).toBeHidden();
});
