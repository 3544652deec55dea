import type { Page } from '@playwright/test';
import { storageApi } from '#domain/storage/contract.ts';
import { addDays } from '#domain/time.ts';
import { addGalleryPicture, makePicture, storageOf } from '#server/storage/pictures.test-support.ts';
import { call, productUrl } from '../support/api.ts';
import { toast } from '../support/booking-page.ts';
import { bookByApi, publishAt } from '../support/club.ts';
import { today } from '../support/coaching.ts';
import { expect, expectNoViolationsInBothThemes, test, waitForLayout } from '../support/fixtures.ts';
import { becomeDemo, becomePerson, openCoach, openCustomer } from '../support/people.ts';
import { comparePictures, createRandomPicture } from '../support/pictures.ts';

const partOf = (page: Page, name: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { level: 2, name }) });

/** Delays these pictures in the browser until the returned function is called. */
async function holdPictures(page: Page, url: RegExp): Promise<() => void> {
  let show = () => {};
  const held = new Promise<void>((resolve) => {
    show = resolve;
  });
  await page.route(url, async (route) => {
    await held;
    await route.continue();
  });
  return show;
}

/** The bounds of each of these elements. */
const boxesOf = (page: Page, selector: string) =>
  page
    .locator(selector)
    .evaluateAll((parts) => parts.map((part) => JSON.stringify(part.getBoundingClientRect())));

/** Fails unless the picture has loaded. */
const expectShown = (page: Page, selector: string) =>
  expect
    .poll(() =>
      page
        .locator(selector)
        .first()
        .evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth),
    )
    .toBeGreaterThan(0);

test('crops a picture, shows it on the discover page and removes it everywhere [FILE-6a, FILE-6c, UX-4c]', async ({
  page,
  browser,
}) => {
  const coach = await openCoach('Faye Face');
  const slot = await publishAt(coach, { date: addDays(today(), 30), hour: 10 });
  await becomePerson(page, coach);
  await page.goto('/account');
  const part = partOf(page, 'Picture');
  await expect(part.getByText('FF')).toBeVisible();
  const chooser = page.waitForEvent('filechooser');
  await part.getByRole('button', { name: 'Add a picture' }).click();
  const file = { name: 'me.png', mimeType: 'image/png', buffer: await createRandomPicture(1_200, 800) };
  await (await chooser).setFiles(file);
  const dialog = page.getByRole('dialog', { name: 'Choose the part to show' });
  const preview = dialog.locator('figure canvas');
  const look = () => preview.evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL());
  // Waits until the preview has been painted: the middle of an empty canvas is transparent.
  const opacity = () =>
    preview.evaluate(
      (canvas: HTMLCanvasElement) => canvas.getContext('2d')!.getImageData(96, 96, 1, 1).data[3],
    );
  await expect.poll(opacity).toBe(255);
  const whole = await look();
  await dialog.getByLabel('Zoom').fill('2.02');
  await expect.poll(look).not.toBe(whole);
  const zoomed = await look();
  expect(await preview.evaluate((canvas: HTMLCanvasElement) => canvas.width / canvas.height)).toBe(1);
  await dialog.getByLabel('Left or right').press('ArrowLeft');
  await expect.poll(look).not.toBe(zoomed);
  const pressed = await look();
  await dialog.getByLabel('Left or right').fill('0.1');
  await expect.poll(look).not.toBe(pressed);
  const cropped = await look();
  await expectNoViolationsInBothThemes(page);
  await dialog.getByRole('button', { name: 'Save picture' }).click();
  await expect(toast(page, 'Picture saved')).toBeVisible();
  await expect(dialog).toBeHidden();
  await expectShown(page, 'section img');
  // The part in the preview is stored, not the whole picture or its zoomed middle.
  const address = `${productUrl}/storage/v1/object/public/avatars/${coach.userId}/avatar`;
  const stored = Buffer.from(await (await fetch(address)).arrayBuffer());
  const differenceTo = (url: string) => comparePictures(stored, Buffer.from(url.split(',')[1]!, 'base64'));
  expect(await differenceTo(cropped)).toBeLessThan(3);
  for (const other of [whole, zoomed]) expect(await differenceTo(other)).toBeGreaterThan(5);

  // A visitor sees the picture, and nothing moves while it loads.
  const visitor = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
  const show = await holdPictures(visitor, /\/object\/public\/avatars\//);
  await visitor.goto(`/customer/discover?coachId=${coach.userId}`);
  await waitForLayout(visitor);
  await expect(visitor.locator('[data-slot]')).toHaveCount(1);
  const before = await boxesOf(visitor, '[data-slot] *');
  show();
  await expectShown(visitor, '[data-slot] img');
  expect(await boxesOf(visitor, '[data-slot] *')).toEqual(before);
  const image = visitor.locator('[data-slot] img').first();
  await expect(image).toHaveAttribute('src', /\/object\/public\/avatars\/.*&size=128$/);
  await expect(image).toHaveAttribute('width', '128');
  await addGalleryPicture(productUrl, coach);
  // The first public page that a browser opens changes its font after it has loaded, which moves text.
  await visitor.goto('/');
  await expect.poll(() => visitor.evaluate(() => localStorage.getItem('app.font'))).not.toBeNull();
  const showAll = await holdPictures(visitor, /\/object\/public\/(avatars|gallery)\//);
  await visitor.goto(`/coaches/${coach.userId}`, { waitUntil: 'domcontentloaded' });
  await expect(visitor.getByRole('img', { name: 'Faye Face' })).toHaveAttribute('srcset', / 512w, .* 128w$/);
  await waitForLayout(visitor);
  const emptyBoxes = await boxesOf(visitor, 'main *');
  showAll();
  await expectShown(visitor, 'img[alt="Faye Face"]');
  await expectShown(visitor, 'img[alt="Serving"]');
  expect(await boxesOf(visitor, 'main *')).toEqual(emptyBoxes);

  // A customer with a picture books. The customer and the coach see each other's picture.
  const customer = await openCustomer({ card: null, fullName: 'Cora Customer' });
  const avatars = storageOf(productUrl, customer).from('avatars');
  expect((await avatars.upload(`${customer.userId}/avatar`, await makePicture())).error).toBeNull();
  await bookByApi(customer, slot);
  const other = await (await browser.newContext()).newPage();
  await becomePerson(other, customer, productUrl);
  await other.goto(`${productUrl}/customer/coaches`);
  await expect(other.getByRole('main').getByRole('listitem')).toContainText('Faye Face');
  await expectShown(other, 'main li img');
  await page.goto(`/coach/lesson/${slot.slotId}`);
  await expect(page.getByRole('main').getByText('Cora Customer')).toBeVisible();
  await expectShown(page, 'main li img');
  await page.goto('/account');

  const question = page.getByRole('alertdialog', { name: 'Remove your picture?' });
  await part.getByRole('button', { name: 'Remove picture' }).click();
  await expectNoViolationsInBothThemes(page);
  await question.getByRole('button', { name: 'Keep picture' }).click();
  await expect(question).toBeHidden();
  await expectShown(page, 'section img');
  await part.getByRole('button', { name: 'Remove picture' }).click();
  await question.getByRole('button', { name: 'Remove picture' }).click();
  await expect(toast(page, 'Picture removed')).toBeVisible();
  await expect(question).toBeHidden();
  await expect(part.getByText('FF')).toBeVisible();
  await expect(part.getByRole('img')).toHaveCount(0);
  await visitor.reload();
  await expect(visitor.getByRole('heading', { level: 1, name: 'Faye Face' })).toBeVisible();
  await expect(visitor.getByRole('img', { name: 'Faye Face' })).toHaveCount(0);
  await expect(visitor.getByRole('main').getByText('FF', { exact: true })).toBeVisible();
});

test('adds a picture with consent, lets a visitor report it and an admin remove it [FILE-6b, FILE-9a, FILE-9c]', async ({
  page,
  browser,
}) => {
  const coach = await openCoach('Gail Gallery');
  await becomePerson(page, coach);
  await page.goto('/coach/business');
  const part = partOf(page, 'Your pictures');
  const chooser = page.waitForEvent('filechooser');
  await part.getByRole('button', { name: 'Add a picture' }).click();
  const file = { name: 'court.png', mimeType: 'image/png', buffer: await createRandomPicture(900, 600) };
  await (await chooser).setFiles(file);
  const dialog = page.getByRole('dialog', { name: 'Add a picture' });
  const add = dialog.getByRole('button', { name: 'Add picture' });
  await expect(dialog.getByLabel('What does the picture show?')).toHaveValue('');
  await dialog.getByLabel('What does the picture show?').fill('An empty court');
  await expect(add).toBeDisabled();
  await dialog.getByLabel(/^Everyone who can be recognised has agreed/).check();
  await expectNoViolationsInBothThemes(page);
  // The first response is lost. Trying again does not add the picture twice.
  await page.route(
    '**/storage/v1/object/gallery/**',
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await add.click();
  await expect(dialog.getByRole('alert')).toBeVisible();
  await add.click();
  await expect(dialog).toBeHidden();
  await expect(part.getByRole('img')).toHaveCount(1);
  await expect(part.getByRole('img', { name: 'An empty court' })).toBeVisible();
  await part.getByRole('button', { name: 'Remove: An empty court' }).click();
  await page
    .getByRole('alertdialog', { name: 'Remove this picture?' })
    .getByRole('button', { name: 'Keep picture' })
    .click();
  await page.getByRole('button', { name: 'Describe: An empty court' }).click();
  const description = page.getByRole('dialog').getByLabel('What does the picture show?');
  await expect(description).toHaveValue('An empty court');
  await page.keyboard.press('Escape');

  // The description may be empty; the consent is required.
  const secondChooser = page.waitForEvent('filechooser');
  await part.getByRole('button', { name: 'Add a picture' }).click();
  await (await secondChooser).setFiles({ ...file, buffer: await createRandomPicture(600, 600) });
  await expect(add).toBeDisabled();
  await dialog.getByLabel(/^Everyone who can be recognised has agreed/).check();
  await add.click();
  await expect(dialog).toBeHidden();
  await expect(part.getByRole('listitem')).toHaveCount(2);
  await part.getByRole('button', { name: 'Describe: picture without a description' }).click();
  await expect(description).toHaveValue('');
  await page.keyboard.press('Escape');
  await part.getByRole('button', { name: 'Remove: picture without a description' }).click();
  await page
    .getByRole('alertdialog', { name: 'Remove this picture?' })
    .getByRole('button', { name: 'Remove picture' })
    .click();
  await expect(part.getByRole('listitem')).toHaveCount(1);

  const visitor = await (await browser.newContext()).newPage();
  await visitor.goto(`/coaches/${coach.userId}`);
  await expectShown(visitor, 'img[alt="An empty court"]');
  const show = await holdPictures(visitor, /\/object\/public\/gallery\//);
  await visitor.getByRole('link', { name: 'Report picture 1' }).click();
  await expect(visitor.getByRole('heading', { level: 1, name: 'Report a picture' })).toBeVisible();
  await waitForLayout(visitor);
  const before = await visitor.getByLabel("What's wrong with the picture?").boundingBox();
  show();
  await expectShown(visitor, 'main img');
  expect(await visitor.getByLabel("What's wrong with the picture?").boundingBox()).toEqual(before);
  await visitor.getByRole('button', { name: 'Send report' }).click();
  await expect(visitor.getByText("Tell us what's wrong with the picture.")).toBeVisible();
  await visitor.getByLabel("What's wrong with the picture?").fill('I am in it');
  await expectNoViolationsInBothThemes(visitor);
  await visitor.getByRole('button', { name: 'Send report' }).click();
  await expect(visitor.getByText('Thank you.')).toBeVisible();

  // Two more reports hide the picture while its coach is about to remove it.
  const removeButton = part.getByRole('button', { name: 'Remove: An empty court' });
  await removeButton.click();
  const { pictureId } = (await call(coach, storageApi.listGallery, {})).pictures[0]!;
  for (const fullName of ['Rita Reporter', 'Rob Reporter']) {
    const reporter = await openCustomer({ fullName, card: null });
    await call(reporter, storageApi.reportPicture, { pictureId, reason: 'I am in it too' });
  }
  const question = page.getByRole('alertdialog', { name: 'Remove this picture?' });
  await question.getByRole('button', { name: 'Remove picture' }).click();
  await expect(toast(page, /^Visitors have reported this picture\./)).toBeVisible();
  await page.reload();
  await expect(part.getByText(/^Reported\. An admin will decide/)).toBeVisible();
  await expect(part.getByRole('button', { name: 'Describe: An empty court' })).toBeVisible();
  await expect(removeButton).toHaveCount(0);

  await becomeDemo(visitor, 'admin@demo.test');
  await visitor.goto('/admin/panel?tab=pictures');
  const reported = visitor.getByRole('listitem').filter({ hasText: 'Gail Gallery' });
  await expect(reported).toContainText('I am in it');
  await expectNoViolationsInBothThemes(visitor);
  await reported.getByRole('button', { name: 'Remove' }).click();
  await visitor.getByRole('alertdialog').getByRole('button', { name: 'Remove picture' }).click();
  await expect(toast(visitor, 'Picture removed')).toBeVisible();
  expect((await call(coach, storageApi.listGallery, {})).pictures).toEqual([]);
});
