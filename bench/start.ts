import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '#server/platform/package-root.ts';
import { median } from './load.ts';

const poll = async (port: number, startedAt: number): Promise<number> => {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null);
    if (answer?.ok) return performance.now() - startedAt;
    if (performance.now() - startedAt > 300_000) throw new Error('not ready after five minutes');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

/** Measures the milliseconds from starting a command to its first healthy response, then stops it as Ctrl-C does. */
async function timeStart(command: string[], port: number, env: Record<string, string>): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(command[0]!, command.slice(1), {
    cwd: packageRoot,
    env: { ...process.env, ...env, PORT: String(port) },
    stdio: 'ignore',
    detached: true,
  });
  const ms = await poll(port, startedAt);
  // Ctrl-C reaches every process in the terminal, not only npm.
  process.kill(-child.pid!, 'SIGINT');
  await new Promise((resolve) => child.once('exit', resolve));
  return ms;
}

/**
 * Measures `npm start` on an empty data folder (creating the database, filling the demo) and again on the same folder,
 * against a bare node:http server, alternating. The packages must be installed and the programs built.
 */
export async function benchStart({ rounds }: { rounds: number }): Promise<void> {
  const bareServer = `require('node:http').createServer((q, a) => a.end('ok')).listen(process.env.PORT)`;
  const found: { cold: number[]; warm: number[]; bare: number[] } = { cold: [], warm: [], bare: [] };
  for (let round = 0; round < rounds; round++) {
    const folder = await mkdtemp(join(tmpdir(), 'app-start-'));
    const env = { DATA_DIR: folder, DATABASE_URL: '' };
    found.cold.push(await timeStart(['npm', 'start'], 4_310, env));
    found.warm.push(await timeStart(['npm', 'start'], 4_311, env));
    found.bare.push(await timeStart([process.execPath, '-e', bareServer], 4_312, {}));
    await rm(folder, { recursive: true, force: true });
  }
  const [cold, warm, bare] = [median(found.cold), median(found.warm), median(found.bare)];
  console.log(
    `first start ${Math.round(cold)} ms, second ${Math.round(warm)} ms, bare node:http ${Math.round(bare)} ms`,
  );
  console.log(`second start ÷ bare ${(warm / bare).toFixed(1)}, first ÷ second ${(cold / warm).toFixed(1)}`);
}
