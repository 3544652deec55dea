import { addDays } from '#domain/time.ts';
import { productUrl } from '../support/api.ts';
import { bookByApi, publishAt } from '../support/club.ts';
import { today } from '../support/coaching.ts';
import { expect, expectNoViolationsInBothThemes, test } from '../support/fixtures.ts';
import { becomePerson, openCoach, openCustomer } from '../support/people.ts';
import { addAccepted, addCheck } from '../support/trust-file.ts';

test('explains each badge, without JavaScript on the public profile [VERIFY-12b]', async ({
  page,
  browser,
}) => {
  const coach = await openCoach('Bea Badge');
  const end = addDays(today(), 200);
  await addCheck(coach);
  await addAccepted(coach, 'insurance', end);
  const slot = await publishAt(coach, { date: addDays(today(), 12), hour: 10 });

  const plain = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await plain.goto(`${productUrl}/coaches/${coach.userId}`);
  const badges = plain.getByRole('list', { name: 'Checks' });
  await expect(badges.getByRole('listitem')).toHaveCount(2);
  const checked = badges.getByRole('listitem').filter({ hasText: /^Enhanced DBS seen · \w+ \d{4}/ });
  await expect(checked.getByText(/ checked an Enhanced DBS certificate in /)).toBeHidden();
  await checked.locator('summary').click();
  await expect(checked.getByText(/ checked an Enhanced DBS certificate in /)).toBeVisible();
  await expect(checked.getByText('The original was seen in person.')).toBeVisible();
  await expect(checked.getByText(/isn't a recommendation/)).toBeVisible();
  // The explanation is aligned with the label only if the public pages' styles apply.
  const leftOf = async (text: RegExp) => (await checked.getByText(text).boundingBox())!.x;
  expect(await leftOf(/ checked an Enhanced/)).toBeCloseTo(await leftOf(/^Enhanced DBS seen/), 0);
  const month = `${end.slice(5, 7)}/${end.slice(0, 4)}`;
  await expect(badges.getByText(`Public liability insurance valid to ${month}`)).toBeVisible();
  const html = await plain.content();
  for (const secret of ['001987654321', 'POL-7781', 'Pitchside Mutual', 'barred']) {
    expect(html).not.toContain(secret);
  }

  const customer = await openCustomer({ card: null });
  await becomePerson(page, customer);
  await page.goto(`/customer/discover?lesson=${slot.slotId}`);
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/^Enhanced DBS seen · /).click();
  await expect(dialog.getByText('The original was seen in person.')).toBeVisible();
  await expectNoViolationsInBothThemes(page);
  await bookByApi(customer, slot);
  await page.goto('/customer/coaches');
  await page.getByText(`Public liability insurance valid to ${month}`).click();
  await expect(page.getByText(/It shows that cover was in place\./)).toBeVisible();
  await plain.context().close();
});
