import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/embedded/embedded-postgres.ts';
import { findFreePort } from '#server/platform/free-port.ts';
import { becomePerson, openDemo } from '../support/people.ts';

let dataDir: string;
let postgres: EmbeddedPostgres;
let product: ChildProcess;
/** How the server's process ended: its exit code and signal. */
let exit: Promise<unknown[]>;
let url: string;

// Starts a separate server and PostgreSQL, because the test stops the database.
test.beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'app-outage-'));
  postgres = await startEmbeddedPostgres({ dataDir });
  const port = await findFreePort();
  url = `http://127.0.0.1:${port}`;
  product = spawn(process.execPath, ['--import', 'tsx', 'e2e/serve.ts'], {
    env: {
      ...process.env,
      PORT: String(port),
      DATABASE_URL: postgres.url,
      TSX_TSCONFIG_PATH: 'tsconfig.run.json',
      LOG_LEVEL: 'silent',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  exit = once(product, 'exit');
  await expect.poll(() => healthOf(url), { timeout: 300_000 }).toBe(200);
});

test.afterAll(async () => {
  product.kill('SIGTERM');
  const ended = await exit;
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
  expect(ended).toEqual([0, null]);
});

const healthOf = (base: string) =>
  fetch(`${base}/healthz`).then(
    ({ status }) => status,
    () => 0,
  );

test('reports a database outage and recovers without a reload', async ({ page, browser }) => {
  await becomePerson(page, await openDemo('customer@demo.test', '', url), url);
  await page.goto(`${url}/customer/payment-methods`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();

  await postgres.stop();
  await expect.poll(() => healthOf(url)).toBe(503);
  // Covers navigation within the app, a page load by a signed-in customer and a page load by a visitor.
  await page.getByRole('link', { name: 'Book', exact: true }).first().click();
  await expect(
    page.getByRole('alert').getByText("The service can't reach its database right now."),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  const reloaded = await page.context().newPage();
  await reloaded.goto(`${url}/customer/my-bookings`);
  await expect(reloaded.getByText("We couldn't load your profile")).toBeVisible();
  const visitor = await browser.newPage();
  await visitor.goto(`${url}/customer/discover`);
  await expect(visitor.getByRole('alert')).toBeVisible();

  postgres = await startEmbeddedPostgres({ dataDir, port: Number(new URL(postgres.url).port) });
  await expect(page.getByRole('alert')).toBeHidden({ timeout: 60_000 });
  await expect(page.getByRole('link', { name: /^Book Lesson/ }).first()).toBeVisible();
  await expect(reloaded.getByRole('heading', { level: 1 })).toHaveText(/My Bookings/i, { timeout: 60_000 });
  await visitor.close();
});
