import { setTimeout as delay } from 'node:timers/promises';
import type { Host } from './hosts.ts';
import type { Cluster } from './state.ts';

/** A database server as Patroni sees it. `lag` is in bytes. */
export type Member = {
  name: string;
  role: string;
  state: string;
  host: string;
  timeline?: number;
  lag?: number;
};

/** The database servers, as reported by the first Patroni that responds; empty if none does. */
export async function readMembers({ hosts }: Cluster): Promise<Member[]> {
  for (const { address } of hosts.databases) {
    const answer = await fetch(`http://${address}:8008/cluster`, {
      signal: AbortSignal.timeout(1_000),
    }).catch(() => null);
    const body = answer?.ok ? ((await answer.json()) as { members: Member[] }) : null;
    if (body) return body.members;
  }
  return [];
}

/** Whether one server is the primary and all others follow it, at least one of them synchronously. */
export const isHealthy = (members: Member[], count: number): boolean =>
  members.length === count &&
  members.some(({ role }) => role === 'leader') &&
  members.some(({ role }) => role === 'sync_standby') &&
  members.every(({ state }) => state === 'running' || state === 'streaming');

/** The server that is the primary. Throws if there is none. */
export async function findPrimary(cluster: Cluster): Promise<Host> {
  const leader = (await readMembers(cluster)).find(({ role }) => role === 'leader');
  const host = cluster.hosts.databases.find(({ name }) => name === leader?.name);
  if (!host) throw new Error('No database server is the primary right now.');
  return host;
}

/** The standby that has every commit. Throws if there is none. */
export async function findStandby(cluster: Cluster): Promise<Host> {
  const standby = (await readMembers(cluster)).find(({ role }) => role === 'sync_standby');
  const host = cluster.hosts.databases.find(({ name }) => name === standby?.name);
  if (!host) throw new Error('No standby is synchronous right now.');
  return host;
}

/** Waits until `isTrue` resolves to true. After `seconds`, throws an error that names `what`. */
export async function until(what: string, isTrue: () => Promise<boolean>, seconds = 120): Promise<void> {
  const deadline = Date.now() + seconds * 1_000;
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error(`Not true within ${seconds} s: ${what}.`);
    await delay(100);
  }
}

export const untilHealthy = (cluster: Cluster): Promise<void> =>
  until('every database server follows the primary', async () =>
    isHealthy(await readMembers(cluster), cluster.hosts.databases.length),
  );

/** Whether a URL responds with 2xx within a second. */
export const answers = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(1_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
