import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { addDays, wallTimeOf } from '#domain/time.ts';
import { findFreePort } from '#server/platform/free-port.ts';

let dataDir: string;
let running: ChildProcess | undefined;

test.beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'app-start-'));
});

test.afterAll(async () => {
  if (running) await stop(running);
  await rm(dataDir, { recursive: true, force: true });
});

test('starts in an empty folder, stops cleanly and starts again with its data', async ({ request }) => {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;

  const said = await start(port, url);
  expect(said).toContain(`http://localhost:${port}`);
  expect(said).toContain('customer@demo.test');
  expect((await request.get(`${url}/healthz`)).status()).toBe(200);
  // The demo's passwords are public, so only the local machine can reach the server.
  await expect(request.get(`http://127.0.0.2:${port}/healthz`)).rejects.toThrow();
  expect(await (await request.get(`${url}/customer/discover`)).text()).toContain('<div id="root"');
  // Today's lessons leave the list when they start.
  const slots = `${url}/api/slots?from=${addDays(wallTimeOf(Date.now()).date, 2)}`;
  const before = await request.get(slots).then((answer) => answer.text());
  expect(before).toContain('slotId');

  expect(await stop(running!)).toBe(0);
  expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
  await expect(request.get(`${url}/healthz`)).rejects.toThrow();

  await start(port, url);
  expect(await request.get(slots).then((answer) => answer.text())).toBe(before);
  expect(await stop(running!)).toBe(0);
});

test("names missing settings and refuses to start on an operator's database", async () => {
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' };
  const program = spawn(process.execPath, ['scripts/start.mjs'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [program.stdout, program.stderr]) stream.on('data', (text) => (said += text));
  const [code] = await once(program, 'close');
  expect(code).toBe(1);
  for (const name of ['AUTH_SIGNING_KEYS', 'DATA_KEY', 'STRIPE_SECRET_KEY', 'SMTP_URL', 'PUBLIC_URL']) {
    expect(said).toContain(`${name} is missing`);
  }
});

/** Starts the built product as npm start does; returns its output until it is ready. */
async function start(port: number, url: string): Promise<string> {
  const { DATABASE_URL: _, ...env } = process.env;
  const program = spawn(process.execPath, ['scripts/start.mjs'], {
    env: { ...env, PORT: String(port), DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running = program;
  let said = '';
  program.stdout.on('data', (text) => (said += text));
  await expect
    .poll(
      () =>
        fetch(`${url}/healthz`).then(
          ({ status }) => status,
          () => program.exitCode ?? 'starting',
        ),
      { timeout: 300_000 },
    )
    .toBe(200);
  await expect.poll(() => said).toContain('Ctrl-C');
  return said;
}

async function stop(program: ChildProcess): Promise<number | null> {
  if (program.exitCode === null) {
    program.kill('SIGTERM');
    await once(program, 'exit');
  }
  return program.exitCode;
}
