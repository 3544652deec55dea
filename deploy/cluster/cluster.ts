import { join } from 'node:path';
import pg from 'pg';
import { webhookEventTypes } from '#server/payments/webhook-events.ts';
import { packageRoot } from '#server/platform/package-root.ts';
import { launchStripeSimulator, type StripeSimulator } from '#tools/stripe-sandbox/launch.ts';
import { findRunning } from '#tools/stripe-sandbox/running.ts';
import { appAddress } from './config-files.ts';
import type { Host } from './hosts.ts';
import { answers, findPrimary, readMembers, until, untilHealthy } from './members.ts';
import {
  addBridge,
  addNamespace,
  killProcesses,
  listNamespaces,
  listProcesses,
  namespaceOf,
  ownAddress,
  removeNetwork,
  setLink,
} from './namespaces.ts';
import {
  type AppSettings,
  configureNginx,
  startApp,
  startEtcd,
  startNginx,
  startPatroni,
  stripePort,
} from './programs.ts';
import {
  type Cluster,
  clusterFolder,
  databaseHost,
  openCluster,
  removeCluster,
  saveCluster,
} from './state.ts';

/** Starts every part of the cluster that isn't running, and waits until the cluster serves requests. */
export async function up(settings: AppSettings = {}): Promise<Cluster> {
  const cluster = openCluster();
  const { databases, apps, proxies } = cluster.hosts;
  addBridge();
  for (const host of [...databases, ...apps, ...proxies]) {
    addNamespace(host);
    setLink(host, true);
  }
  for (const host of databases) startEtcd(cluster, host);
  for (const host of databases) startPatroni(cluster, host);
  await untilHealthy(cluster);
  await createDatabase(cluster);
  await openStripe(cluster);
  for (const host of apps) startApp(cluster, host, settings);
  await Promise.all(apps.map(untilReady));
  configureNginx(proxies[0]!, apps);
  startNginx(proxies[0]!);
  await until('nginx serves', () => answers(`${urlOf(cluster)}/readyz`));
  return cluster;
}

/** Stops everything and deletes all data of the cluster. */
export async function down(): Promise<void> {
  const stripe = await findRunning(stripeFolder);
  if (stripe) process.kill(stripe.pid);
  removeNetwork();
  removeCluster();
}

/** The address of the product behind nginx. */
export const urlOf = ({ hosts }: Cluster): string => `http://${hosts.proxies[0]!.address}`;

export const untilReady = (host: Host): Promise<void> =>
  until(`${host.name} is ready`, () => answers(`http://${appAddress(host)}/readyz`));

const stripeFolder = join(clusterFolder, 'stripe');
const stripeProgram = [process.execPath, join(packageRoot, 'dist', 'server', 'stripe-simulator.js')];

/** Starts the Stripe simulator unless it is running. */
export const openStripe = (cluster: Cluster): Promise<StripeSimulator> =>
  launchStripeSimulator({
    ...{ dataDir: stripeFolder, command: stripeProgram, host: ownAddress, port: stripePort },
    webhookUrl: `${urlOf(cluster)}/webhooks/stripe`,
    webhookSecret: cluster.secrets.STRIPE_WEBHOOK_SECRET!,
    webhookEvents: webhookEventTypes,
  });

/** Connects to this database on the primary as a superuser and calls `run`. Throws if there is no primary. */
export async function runOnPrimary<T>(
  cluster: Cluster,
  database: string,
  run: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const { address } = await findPrimary(cluster);
  const client = new pg.Client({
    ...{ host: address, database, user: 'postgres', password: cluster.passwords.superuser },
  });
  await client.connect();
  return run(client).finally(() => client.end());
}

/** Creates the role and the database, as docs/operations.md#the-database-role describes. */
const createDatabase = (cluster: Cluster): Promise<void> =>
  runOnPrimary(cluster, 'postgres', async (client) => {
    const { rows } = await client.query("select from pg_database where datname = 'app'");
    if (rows.length > 0) return;
    await client.query(`create role app login password '${cluster.passwords.app}'`);
    await client.query('create database app owner app');
  });

/** Kills a server as a power cut would: without closing its connections. */
export function killHost(host: Host): void {
  setLink(host, false);
  killProcesses(namespaceOf(host));
}

/** Kills the primary and waits until another server has been promoted. Returns both, and how long it took. */
export async function killPrimary(
  cluster: Cluster,
): Promise<{ killed: Host; promoted: Host; seconds: number }> {
  const killed = await findPrimary(cluster);
  const began = performance.now();
  killHost(killed);
  const isPromoted = async () => {
    const leader = (await readMembers(cluster)).find(({ role }) => role === 'leader');
    return leader !== undefined && leader.name !== killed.name && leader.state === 'running';
  };
  await until('another server is promoted', isPromoted);
  return { killed, promoted: await findPrimary(cluster), seconds: (performance.now() - began) / 1_000 };
}

/**
 * Adds a database server, to which Patroni copies the primary's data. Then restarts the processes one by one
 * with the new list of servers.
 */
export async function addNode(cluster: Cluster): Promise<Host> {
  const host = databaseHost(cluster.hosts.databases.length + 1);
  cluster.hosts.databases.push(host);
  saveCluster(cluster);
  addNamespace(host);
  startPatroni(cluster, host);
  await untilHealthy(cluster);
  for (const app of cluster.hosts.apps) await restartApp(cluster, app);
  return host;
}

/** Stops a process as systemd does and waits until it has ended. */
export async function stopApp(host: Host): Promise<void> {
  for (const pid of listProcesses(namespaceOf(host))) process.kill(pid, 'SIGTERM');
  await until(`${host.name} has stopped`, async () => listProcesses(namespaceOf(host)).length === 0);
}

/** Stops a process, then starts it again, possibly with another version. */
export async function restartApp(cluster: Cluster, host: Host, settings: AppSettings = {}): Promise<void> {
  await stopApp(host);
  startApp(cluster, host, settings);
  await untilReady(host);
}

/** Returns a line for each server: its state as Patroni reports it, or whether it is ready. */
export async function status(cluster: Cluster): Promise<string[]> {
  const members = new Map((await readMembers(cluster)).map((member) => [member.name, member]));
  const namespaces = listNamespaces();
  const { databases, apps, proxies } = cluster.hosts;
  const databaseLines = databases.map(({ name, address }) => {
    const { role = 'unknown to Patroni', state = 'down', timeline = '-', lag } = members.get(name) ?? {};
    return [
      name,
      address,
      role,
      state,
      `timeline ${timeline}`,
      lag === undefined ? '' : `${lag} bytes behind`,
    ];
  });
  const appLines = apps.map(async (host) => {
    const isReady = await answers(`http://${appAddress(host)}/readyz`);
    return [host.name, host.address, 'process', isReady ? 'ready' : 'not ready'];
  });
  const proxyLines = proxies.map(async (host) => {
    const isServing = await answers(`http://${host.address}/readyz`);
    return [host.name, host.address, 'nginx', isServing ? 'serves' : 'does not serve'];
  });
  const lines = [...databaseLines, ...(await Promise.all([...appLines, ...proxyLines]))];
  return lines.map(
    (line) => `${namespaces.includes(`app-${line[0]}`) ? '' : '(no namespace) '}${line.join('  ').trim()}`,
  );
}
