import { setTimeout as delay } from 'node:timers/promises';
import { findBroken } from '../../chaos/check.ts';
import { openClub } from '../../chaos/club.ts';
import { createHistory } from '../../chaos/history.ts';
import { runClient } from '../../chaos/load.ts';
import { describeUnfinished, waitUntilIdle } from '../../chaos/pending-work.ts';
import { createChance } from '../../chaos/random.ts';
import { down, killHost, killPrimary, restartApp, untilReady, up } from './cluster.ts';
import { openClusterStage, type Request } from './cluster-stage.ts';
import { findPrimary, findStandby } from './members.ts';
import { killProcesses, namespaceOf } from './namespaces.ts';
import { makeNextRelease } from './next-release.ts';
import { reloadNginx, startApp } from './programs.ts';
import type { Cluster } from './state.ts';

const clients = 4;
/** How long the load runs without a fault before and after each fault, in milliseconds. */
const restMs = 4_000;
/** How long requests may fail after a fault, in seconds. */
const boundSeconds = 20;
/** How long systemd waits before it restarts a process (docs/operations.md), in milliseconds. */
const restartMs = 2_000;

/**
 * A fault, and whether requests may fail for a moment. `happen` injects it and returns a remark for the
 * report.
 */
type Fault = { name: string; mayFail: boolean; happen: (cluster: Cluster) => Promise<string> };

type Start = (cluster: Cluster) => Promise<unknown>;

/** The faults, in order. `startAll` starts everything that isn't running, and waits until it is ready. */
const listFaults = (startAll: Start, env: Record<string, string>): Fault[] => [
  {
    name: 'a process killed',
    mayFail: true,
    happen: async (cluster) => {
      const host = cluster.hosts.apps[1]!;
      killProcesses(namespaceOf(host));
      await delay(restartMs);
      startApp(cluster, host, { env });
      await untilReady(host);
      return `${host.name} started again`;
    },
  },
  {
    name: 'the synchronous standby killed',
    mayFail: true,
    happen: async (cluster) => {
      const standby = await findStandby(cluster);
      killHost(standby);
      await delay(boundSeconds * 1_000);
      await startAll(cluster);
      return `${standby.name} started again after ${boundSeconds} s`;
    },
  },
  {
    name: 'nginx reloaded three times',
    mayFail: false,
    happen: async ({ hosts }) => {
      for (let n = 0; n < 3; n += 1) {
        reloadNginx(hosts.proxies[0]!);
        await delay(1_000);
      }
      return '';
    },
  },
  {
    name: 'rolling upgrade with a migration',
    mayFail: false,
    happen: async (cluster) => {
      const release = makeNextRelease();
      for (const host of cluster.hosts.apps) await restartApp(cluster, host, { release, env });
      return 'three processes replaced';
    },
  },
  {
    name: 'the primary killed',
    mayFail: true,
    happen: async (cluster) => {
      const { killed, promoted, seconds } = await killPrimary(cluster);
      await delay((boundSeconds - Math.min(seconds, boundSeconds)) * 1_000);
      await startAll(cluster);
      return `${promoted.name} promoted after ${seconds.toFixed(1)} s; ${killed.name} follows it`;
    },
  },
];

/**
 * Runs every fault once (or only those with `only` in their name) under load on a new cluster and prints the results.
 * Returns whether everything is in order; if not, the cluster keeps running, so that its logs can be read.
 */
export async function runFaults(only = ''): Promise<boolean> {
  await down();
  const { stage, cluster, requests, env, close } = await openClusterStage();
  const startAll = () => up({ env });
  try {
    const club = await openClub(stage);
    const history = createHistory();
    let isOver = false;
    const load = Array.from({ length: clients }, (_, number) =>
      runClient({ stage, club, history, chance: createChance(1, `client ${number}`) }, () => isOver),
    );
    await delay(restMs);
    const broken: string[] = [];
    console.log('fault | requests | failed | last failure after | remark');
    for (const { name, mayFail, happen } of listFaults(startAll, env)) {
      if (!name.includes(only)) continue;
      const began = Date.now();
      const remark = await happen(cluster);
      await delay(restMs);
      const { total, failed, lastAfter, kinds } = summarise(requests, began);
      console.log(`${name} | ${total} | ${failed}${kinds} | ${lastAfter.toFixed(1)} s | ${remark}`);
      if (failed > 0 && !mayFail) broken.push(`${name}: failed requests: ${failed}`);
      if (lastAfter > boundSeconds) broken.push(`${name}: requests failed for ${lastAfter.toFixed(1)} s`);
    }
    isOver = true;
    await Promise.all(load);
    const pending = await waitUntilIdle(stage);
    if (pending)
      broken.push(`Still unfinished: ${JSON.stringify(pending)} ${await describeUnfinished(stage.db())}`);
    broken.push(...(await findBroken(stage, club, history, 0)));
    console.log([...history.answers].map(([kind, count]) => `${kind}: ${count}`).join(', '));
    console.log(
      `${history.booked.length} bookings acknowledged, primary at the end: ${(await findPrimary(cluster)).name}`,
    );
    for (const sentence of broken) console.log(`BROKEN: ${sentence}`);
    console.log(broken.length === 0 ? 'Nothing lost, nothing repeated.' : `${broken.length} broken`);
    if (broken.length === 0) await down();
    return broken.length === 0;
  } finally {
    await close();
  }
}

/**
 * Counts the requests that ended at or after `began` (ms since 1970). `lastAfter`: how long after `began` the
 * last failed request started, in seconds.
 */
function summarise(requests: Request[], began: number) {
  const own = requests.filter(({ endedAt }) => endedAt !== undefined && endedAt >= began);
  const failures = own.filter(({ status }) => status === 0 || status >= 500);
  const statuses = [...new Set(failures.map(nameOf))];
  const counts = statuses.map(
    (status) => `${failures.filter((one) => nameOf(one) === status).length} × ${status}`,
  );
  return {
    total: own.length,
    failed: failures.length,
    kinds: failures.length > 0 ? ` (${counts.join(', ')})` : '',
    lastAfter: Math.max(0, ...failures.map(({ startedAt }) => startedAt - began)) / 1_000,
  };
}

const nameOf = ({ status, path, problem }: Request): string =>
  status === 0 ? `${problem?.slice(0, 120)} at ${path}` : String(status);
