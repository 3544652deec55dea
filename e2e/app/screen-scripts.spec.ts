import { builtScript } from '../support/built-script.ts';
import { expect, test } from '../support/fixtures.ts';
import { becomePerson, openCoach } from '../support/people.ts';

test("preloads an area's screen for people with access, and not for visitors", async ({ page }) => {
  const requested: string[] = [];
  page.on('request', (request) => requested.push(new URL(request.url()).pathname));
  const screen = builtScript('src/web/catalogue/templates.tsx').replace('**', '');
  await page.goto('/coach/templates');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Access Denied');
  expect(requested).not.toContain(screen);
  await becomePerson(page, await openCoach());
  await page.goto('/coach/templates', { waitUntil: 'commit' });
  await expect(page.locator(`link[rel="modulepreload"][href="${screen}"]`)).toHaveCount(1);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your Lesson Templates');
});
