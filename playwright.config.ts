import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig, devices } from '@playwright/test';
import { findChromium } from './scripts/find-chromium.mjs';
import { findFreePort } from './src/server/platform/free-port.ts';

// The workers read this file too, so the environment passes the ports on.
process.env.E2E_PORT ??= String(await findFreePort());
// The port of a second server on the same database, for tests of live updates across servers.
process.env.E2E_SECOND_PORT ??= String(await findFreePort());
// Where the server writes the URL of its database, for tests that let time pass.
process.env.E2E_DATABASE_FILE ??= join(tmpdir(), `app-e2e-database-${process.env.E2E_PORT}`);
const baseURL = `http://127.0.0.1:${process.env.E2E_PORT}`;
const isHeaded = Boolean(process.env.HEADED);

export default defineConfig({
  testDir: 'e2e',
  // Files ending in .test.ts are about the tests' own server, and need no browser.
  testMatch: '*.spec.ts',
  outputDir: 'test-results',
  fullyParallel: true,
  // One more than a small machine's cores, because much of a test is waiting. Four take longer than three on two cores.
  workers: 3,
  // One retry, because a browser on a busy machine may miss a step. `npm test` lists the tests that passed only then.
  retries: 1,
  forbidOnly: Boolean(process.env.CI),
  // Generous, so that a slow machine does not fail tests that are only slow; a step that hangs ends sooner.
  timeout: 400_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  use: {
    ...devices['Desktop Chrome'],
    baseURL,
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    headless: !isHeaded,
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    contextOptions: { reducedMotion: 'reduce' },
    // Recording every test costs much of its time: TRACE=1 switches it on, to debug a failure.
    trace: process.env.TRACE ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: findChromium(),
      // Containers often have a tiny /dev/shm, on which tabs crash, and no graphics processor.
      args: ['--disable-dev-shm-usage', '--disable-gpu'],
    },
  },
  webServer: {
    command: 'exec node --import tsx e2e/serve.ts',
    url: `${baseURL}/healthz`,
    env: {
      PORT: process.env.E2E_PORT,
      SECOND_PORT: process.env.E2E_SECOND_PORT,
      DATABASE_FILE: process.env.E2E_DATABASE_FILE,
      TSX_TSCONFIG_PATH: 'tsconfig.run.json',
    },
    // The server compiles its sources and fills the club first, which takes a busy machine a while.
    timeout: 300_000,
    stdout: 'pipe',
    // Longer than a busy machine takes to stop the server, whose database would otherwise keep running.
    gracefulShutdown: { signal: 'SIGTERM', timeout: 60_000 },
  },
});
