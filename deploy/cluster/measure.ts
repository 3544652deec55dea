import { readFileSync } from 'node:fs';
import http from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { readConfig } from '#server/platform/config.ts';
import { openPool } from '#server/platform/db/db.ts';
import { createCustomers, createSlots, requestOf } from '../../bench/booking.ts';
import type { LoadRequest } from '../../bench/load.ts';
import { seedLarge } from '../../bench/seed-large.ts';
import { countNothing } from '../../chaos/postgres.ts';
import { down, runOnPrimary, untilReady, up } from './cluster.ts';
import { appAddress } from './config-files.ts';
import type { Host } from './hosts.ts';
import { findPrimary, until } from './members.ts';
import { addNamespace, addOwnAddress, killProcesses, listProcesses, namespaceOf } from './namespaces.ts';
import { startPooler } from './pooler.ts';
import { appEnvironment, configureNginx, reloadNginx, startApp } from './programs.ts';
import { appHost, type Cluster, saveCluster } from './state.ts';

const size = { slots: 20_000, templates: 1_000, coaches: 200 };
const seconds = 6;
const clients = 16;
/** One request in this many is a booking; the others are visitors' reads. */
const bookingEvery = 10;
/** The paths of the reads. The cache for visitors is switched off, so every read reaches a database. */
const reads = ['', 'sport=tennis', 'sport=golf&sort=price_low', 'search=lesson'].map(
  (query) => `/api/slots?${query}`,
);

const addresses = Array.from({ length: clients }, (_, number) => `198.18.0.${100 + number}`);

type Row = { apps: number; standbys: number; isPooled?: boolean };
const rows: Row[] = [
  ...[1, 2, 4].flatMap((apps) => [0, 1, 2].map((standbys) => ({ apps, standbys }))),
  { apps: 1, standbys: 0, isPooled: true },
];

/**
 * Measures a mixed load on a new cluster with the numbers of processes and standbys in `rows`. Prints a
 * table.
 */
export async function measure(): Promise<void> {
  await down();
  const cluster = await up();
  cluster.hosts.apps = [1, 2, 3, 4].map(appHost);
  cluster.hosts.apps.forEach(addNamespace);
  saveCluster(cluster);
  addresses.forEach(addOwnAddress);
  const primary = await findPrimary(cluster);
  const standbys = cluster.hosts.databases.filter(({ name }) => name !== primary.name);
  await runOnPrimary(cluster, 'app', (client) => client.query(countNothing));
  const config = readConfig(appEnvironment(cluster, cluster.hosts.apps[0]!));
  await seedLarge(`postgres://postgres:${cluster.passwords.superuser}@${primary.address}/app`, size);
  const db = openPool(config.databaseUrl, { size: 2 });
  console.log(
    'processes | standbys | requests/s | ms per request of: processes | nginx | primary | standbys | pooler | failed',
  );
  for (const row of rows) {
    const apps = cluster.hosts.apps.slice(0, row.apps);
    await startApps(cluster, apps, standbys.slice(0, row.standbys), row.isPooled ? primary : null);
    // A customer's lessons must not overlap, so each row has its own customers.
    const customers = await createCustomers(db, { config }, 100);
    const slots = await createSlots(db, 100, 20);
    const bookings = slots.map((slot, index) => requestOf(customers[index]!, slot));
    const before = readTimes(apps, cluster, primary);
    const { total, failed } = await sendLoad(cluster.hosts.proxies[0]!.address, bookings);
    const after = readTimes(apps, cluster, primary);
    const perRequest = after.map((ms, index) => ((ms - before[index]!) / total).toFixed(2));
    const name = row.isPooled ? `${row.apps}, PgBouncer` : row.apps;
    console.log([name, row.standbys, Math.round(total / seconds), ...perRequest, failed].join(' | '));
  }
  await db.end();
  await down();
}

/**
 * Replaces all processes with these. They read from `standbys`, if any, and reach the primary through
 * PgBouncer if `pooled` is the primary.
 */
async function startApps(
  cluster: Cluster,
  apps: Host[],
  standbys: Host[],
  pooled: Host | null,
): Promise<void> {
  for (const host of cluster.hosts.apps) killProcesses(namespaceOf(host));
  const addresses = standbys.map(({ address }) => `${address}:5432`).join(',');
  const { app: password } = cluster.passwords;
  const replica = addresses && `postgres://app:${password}@${addresses}/app`;
  const env: Record<string, string> = { VISITOR_CACHE_SECONDS: '0', DATABASE_REPLICA_URL: replica };
  for (const host of apps) {
    if (pooled) env.DATABASE_URL = await startPooler(cluster, host, pooled);
    startApp(cluster, host, { env });
  }
  await Promise.all(apps.map(untilReady));
  if (replica) await Promise.all(apps.map((host) => untilReplicaIsUsed(cluster, host)));
  const proxy = cluster.hosts.proxies[0]!;
  configureNginx(proxy, apps);
  reloadNginx(proxy);
  await delay(1_000);
}

const untilReplicaIsUsed = (cluster: Cluster, host: Host): Promise<void> =>
  until(`${host.name} reads from a standby`, async () => {
    const headers = { authorization: `Bearer ${cluster.secrets.METRICS_TOKEN}` };
    const metrics = await fetch(`http://${appAddress(host)}/metrics`, { headers });
    return /^app_replica_in_use 1$/m.test(await metrics.text());
  });

/**
 * Processor time so far, in ms, in this order: the product's processes, nginx, PostgreSQL on the primary, PostgreSQL on
 * the standbys, PgBouncer.
 */
function readTimes(apps: Host[], { hosts }: Cluster, primary: Host): number[] {
  const standbys = hosts.databases.filter(({ name }) => name !== primary.name);
  const sum = (of: Host[], program: RegExp) =>
    of.reduce((total, host) => total + readTime(namespaceOf(host), program), 0);
  return [
    sum(apps, /^(node|MainThread)/),
    sum(hosts.proxies, /^nginx/),
    sum([primary], /^postgres/),
    sum(standbys, /^postgres/),
    sum(apps, /^pgbouncer/),
  ];
}

/** The length of a clock tick (USER_HZ), in milliseconds. */
const tickMs = 10;

/**
 * The processor time of a server's processes whose names match `program`, and of their ended children, in ms.
 */
function readTime(namespace: string, program: RegExp): number {
  return listProcesses(namespace).reduce((total, pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const name = /\((.*)\)/.exec(stat)![1]!;
      // utime, stime, cutime and cstime: fields 14 to 17 in proc(5), which are the 12th to 15th after the name.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
      return program.test(name) ? total + ticks * tickMs : total;
    } catch {
      return total;
    }
  }, 0);
}

/** Sends the mixed load for `seconds`, from many addresses, because visitors' reads are limited by address. */
async function sendLoad(host: string, bookings: LoadRequest[]) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: clients });
  const until = performance.now() + seconds * 1_000;
  let sent = 0;
  const statuses = new Map<number, number>();
  const note = (status: number) => statuses.set(status, (statuses.get(status) ?? 0) + 1);
  let turn = 0;
  const send = ({ method = 'GET', path, headers = {}, body }: LoadRequest) =>
    new Promise<void>((resolve) => {
      const request = http.request(
        { agent, host, localAddress: addresses[turn++ % clients]!, method, path, headers },
        (response) => {
          note(response.statusCode ?? 0);
          response.resume().once('end', resolve);
        },
      );
      request.once('error', () => {
        note(0);
        resolve();
      });
      request.end(body);
    });
  const client = async () => {
    while (performance.now() < until) {
      const number = sent++;
      const booking = number % bookingEvery === 0 ? bookings.pop() : undefined;
      await send(booking ?? { path: reads[number % reads.length]! });
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  agent.destroy();
  statuses.delete(200);
  return {
    total: sent,
    failed: [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ') || 0,
  };
}
