import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { findFreePort } from '#server/platform/free-port.ts';
import { pathOfProgram } from '#server/test-support/built-programs.test-support.ts';
import { isAlive } from '#tools/stripe-sandbox/running.ts';

test.each([
  ['while the Stripe simulator starts', 'select'],
  ['while the demo club is created', 'select from users limit 1'],
])(
  'leaves no process, database or folder when it is stopped %s',
  async (_, sign) => {
    const folder = await mkdtemp(join(tmpdir(), 'app-test-'));
    const server = spawn(process.execPath, [pathOfProgram('browser-test-server')], {
      stdio: 'inherit',
      env: {
        ...process.env,
        TMPDIR: folder,
        PORT: String(await findFreePort()),
        DATABASE_URL: inject('postgresUrl'),
      },
    });
    const ended = once(server, 'exit');
    onTestFinished(() => void server.kill('SIGTERM'));
    const name = `app_e2e_${server.pid}`;
    const findNetwork = async () => {
      const [own] = (await readdir(folder)).filter((entry) => entry.startsWith('app-e2e-'));
      const text = await readFile(join(folder, own ?? '', 'card-network', 'card-network.json'), 'utf8');
      return JSON.parse(text).pid as number;
    };
    const poll = { interval: 50, timeout: 150_000 };
    await expect.poll(() => findNetwork().catch(() => null), poll).not.toBeNull();
    const network = await findNetwork();
    const url = new URL(inject('postgresUrl'));
    url.pathname = `/${name}`;
    await expect.poll(() => ask(url.href, sign).catch(() => 0), poll).toBe(1);

    server.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(isAlive(network)).toBe(false);
    expect((await readdir(folder)).filter((entry) => entry.startsWith('app-e2e-'))).toEqual([]);
    const databases = 'select from pg_database where datname = $1';
    expect(await ask(inject('postgresUrl'), databases, [name])).toBe(0);
    await rm(folder, { recursive: true });
  },
  400_000,
);

/** The number of rows that a query returns. */
async function ask(connectionString: string, text: string, values: string[] = []): Promise<number> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(text, values)).rowCount ?? 0;
  } finally {
    await client.end();
  }
}
