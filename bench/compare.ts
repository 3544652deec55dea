import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '#server/platform/package-root.ts';
import type { Questions, Usage } from './compare-side.ts';
import { type Load, type LoadResult, median, runLoad, stopLoad } from './load.ts';

type Side = {
  port: number;
  ask: <Name extends keyof Questions>(
    name: Name,
    input: Parameters<Questions[Name]>[0],
  ) => ReturnType<Questions[Name]>;
  stop: () => Promise<void>;
};
type Measured = LoadResult & Usage & { requests: number };
const costs = [
  'nodeMs',
  'postgresMs',
  'walSyncs',
  'statements',
  'customPlans',
] as const satisfies (keyof Usage)[];
type Cost = (typeof costs)[number];

const run = (cwd: string, command: string, ...args: string[]) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

/**
 * Checks out a commit below data/compare, builds it if necessary (which installs its dependencies) and returns the
 * folder.
 */
function checkOut(revision: string): string {
  const commit = run(packageRoot, 'git', 'rev-parse', '--short', `${revision}^{commit}`).trim();
  const folder = join(packageRoot, 'data', 'compare', commit);
  if (!existsSync(folder)) {
    mkdirSync(join(packageRoot, 'data', 'compare'), { recursive: true });
    run(packageRoot, 'git', 'worktree', 'add', '--detach', folder, commit);
  }
  if (!existsSync(join(folder, 'dist'))) run(folder, 'npm', 'run', 'build');
  copyFileSync(join(packageRoot, 'bench', 'compare-side.ts'), join(folder, 'bench', 'compare-side.ts'));
  return folder;
}

async function startSide(folder: string): Promise<Side> {
  const child: ChildProcess = fork(join(folder, 'bench', 'compare-side.ts'), {
    cwd: folder,
    execArgv: ['--import', 'tsx'],
    // Uses React's production code, as the built product does. It renders an email twice as fast.
    env: { ...process.env, NODE_ENV: 'production', TSX_TSCONFIG_PATH: join(folder, 'tsconfig.run.json') },
  });
  const waiting = new Map<number, (answer: never) => void>();
  let asked = 0;
  const port = await new Promise<number>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`The server of ${folder} has ended.`)));
    child.on('message', (message: { port: number } | { id: number; answer: never }) => {
      if ('port' in message) return resolve(message.port);
      waiting.get(message.id)?.(message.answer);
      waiting.delete(message.id);
    });
  });
  return {
    port,
    ask: (name, input) =>
      new Promise((resolve) => {
        asked += 1;
        waiting.set(asked, resolve as (answer: never) => void);
        child.send({ id: asked, name, input });
      }) as never,
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.disconnect();
      }),
  };
}

async function measure(side: Side, load: Omit<Load, 'port'>): Promise<Measured> {
  const before = await side.ask('usage', { isIdle: true });
  const result = await runLoad({ port: side.port, ...load });
  const after = await side.ask('usage', { isIdle: true });
  const used = Object.fromEntries(costs.map((cost) => [cost, after[cost] - before[cost]])) as Usage;
  const requests = Object.values(result.statuses).reduce((sum, count) => sum + count, 0);
  return { ...result, ...used, requests };
}

/** Prints one case: this commit's figures and their ratios to the other commit's, over all rounds. */
function report(name: string, clients: number, pairs: [Measured, Measured][]): void {
  const perRequest = (side: 0 | 1, key: Cost) =>
    pairs.reduce((sum, pair) => sum + pair[side][key], 0) /
    pairs.reduce((sum, pair) => sum + pair[side].requests, 0);
  const compared = (key: Cost) => {
    const [ours, theirs] = [perRequest(0, key), perRequest(1, key)];
    return `${ours.toFixed(2)} (${theirs > 0.005 ? (ours / theirs).toFixed(2) : '–'})`;
  };
  const rate = Math.round(median(pairs.map(([ours]) => ours.perSecond)));
  const ratio = median(pairs.map(([ours, theirs]) => ours.perSecond / theirs.perSecond)).toFixed(2);
  const { statuses } = pairs[0]![0];
  const figures = costs.map(compared);
  console.log([name, clients, `${rate} (${ratio})`, ...figures, Object.keys(statuses)].join(' | '));
}

/**
 * Measures this commit against another over HTTP, each with its own PostgreSQL server and data, alternating in short
 * rounds. The ratio of this commit's figure to the other's is in brackets; above 1, this commit's rate or cost is
 * higher. Processor time, syncs and statements include the jobs that email people about a booking.
 */
export async function benchCompare({
  revision,
  cases,
  seconds,
  rounds,
}: {
  revision: string;
  /** Only cases whose name contains this text. */
  cases: string;
  seconds: number;
  rounds: number;
}): Promise<void> {
  const sides = await Promise.all([startSide(packageRoot), startSide(checkOut(revision))]);
  const [ourPaths, theirPaths] = await Promise.all(sides.map((side) => side.ask('paths', null)));
  const paths = sides.map((_, index) => (index === 0 ? ourPaths! : theirPaths!));
  const loads: Record<string, (index: number) => Promise<Omit<Load, 'port' | 'clients'>>> = {
    booking: async (index) => ({ requests: await sides[index]!.ask('bookings', { count: 400 }) }),
    'full lesson': async (index) => ({
      requests: await sides[index]!.ask('refusals', null),
      durationMs: seconds * 1_000,
    }),
  };
  for (const name of Object.keys(ourPaths!)) {
    loads[name] = async (index) => ({
      requests: paths[index]![name]!.map((path) => ({ path })),
      durationMs: seconds * 1_000,
    });
  }
  console.log(
    'case | clients | requests/s | Node ms | PostgreSQL ms | WAL syncs | statements | custom plans | statuses',
  );
  for (const [name, loadOf] of Object.entries(loads).filter(([name]) => name.includes(cases))) {
    for (const clients of name === 'booking' ? [1, 8, 32] : [1, 8]) {
      const pairs: [Measured, Measured][] = [];
      for (let round = -1; round < rounds; round++) {
        const pair: Measured[] = [];
        for (const [index, side] of sides.entries()) {
          pair.push(await measure(side, { ...(await loadOf(index)), clients }));
        }
        // The first round warms up both sides and is not counted.
        if (round >= 0) pairs.push(pair as [Measured, Measured]);
      }
      report(name, clients, pairs);
    }
  }
  await stopLoad();
  await Promise.all(sides.map((side) => side.stop()));
}
