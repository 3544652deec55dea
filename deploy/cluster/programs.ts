import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '#server/platform/package-root.ts';
import { appAddress, configFilesOf, plainNginxSite } from './config-files.ts';
import { etcdHostsOf, type Host } from './hosts.ts';
import { listProcesses, namespaceOf, ownAddress, startOn } from './namespaces.ts';
import { type Cluster, clusterFolder, folderOf } from './state.ts';

/** The files of {@link configFilesOf} with this machine's folders, by file name. */
function renderFor({ hosts, passwords }: Cluster, host: Host): Map<string, string> {
  const own =
    hosts.databases.find(({ name }) => name === host.name) ??
    hosts.apps.find(({ name }) => name === host.name);
  const files = configFilesOf(hosts, own ?? host, passwords, { folder: folderOf(host), watchdog: 'off' });
  return new Map(files.map(({ path, text }) => [path.split('/').pop()!, text]));
}

/** Reads lines such as `NAME='value'`. */
const readVariables = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/^(\w+)='?(.*?)'?$/gm)].map(([, name, value]) => [name, value]));

/** Creates a folder that only this user can read. */
function makeFolder(path: string, user: string): void {
  mkdirSync(path, { recursive: true });
  execFileSync('chown', [`${user}:`, path]);
  execFileSync('chmod', ['700', path]);
}

/** Whether a program whose command contains this text runs on the server. */
export function isRunning(host: Host, text: string): boolean {
  return listProcesses(namespaceOf(host)).some((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text);
    } catch {
      return false;
    }
  });
}

export function startEtcd(cluster: Cluster, host: Host): void {
  if (!etcdHostsOf(cluster.hosts).some(({ name }) => name === host.name) || isRunning(host, 'etcd\0')) return;
  makeFolder(join(folderOf(host), 'etcd'), 'etcd');
  const env = readVariables(renderFor(cluster, host).get('etcd')!);
  startOn(host, { command: ['etcd'], env, user: 'etcd' }, join(clusterFolder, `${host.name}-etcd.log`));
}

export function startPatroni(cluster: Cluster, host: Host): void {
  if (isRunning(host, 'patroni')) return;
  const folder = join(folderOf(host), 'postgresql');
  makeFolder(folder, 'postgres');
  makeFolder(join(folder, '15'), 'postgres');
  const file = join(folder, 'patroni.yml');
  writeFileSync(file, renderFor(cluster, host).get('config.yml')!, { mode: 0o600 });
  execFileSync('chown', ['postgres:', file]);
  const program = { command: ['patroni', file], user: 'postgres' };
  startOn(host, program, join(clusterFolder, `${host.name}-patroni.log`));
}

/** `STORAGE_DIR` of all processes. Stands in for the shared volume of a real cluster. */
const filesFolder = join(clusterFolder, 'files');

export type AppSettings = {
  /** The folder with package.json and dist/ of the version to run. */
  release?: string;
  /** Variables added to those of the cluster, or used instead of them. */
  env?: Record<string, string>;
};

/** The variables of a process: those of the template, the secrets, and stand-ins for Stripe and the mail server. */
export function appEnvironment(cluster: Cluster, host: Host): Record<string, string> {
  return {
    ...readVariables(renderFor(cluster, host).get('app.env')!),
    ...cluster.secrets,
    PUBLIC_URL: `http://${cluster.hosts.proxies[0]!.address}`,
    STRIPE_API_BASE: stripeUrl,
    STORAGE_DIR: filesFolder,
    MAIL_OUTBOX: join(clusterFolder, 'outbox'),
    LOG_LEVEL: 'warn',
  };
}

export const stripePort = 8420;
const stripeUrl = `http://${ownAddress}:${stripePort}`;

export function startApp(
  cluster: Cluster,
  host: Host,
  { release = packageRoot, env = {} }: AppSettings = {},
): void {
  if (isRunning(host, 'main.js')) return;
  mkdirSync(filesFolder, { recursive: true });
  const command = [process.execPath, join(release, 'dist', 'server', 'main.js')];
  const program = { command, env: { ...appEnvironment(cluster, host), ...env }, cwd: clusterFolder };
  startOn(host, program, join(clusterFolder, `${host.name}.log`));
}

const nginxFile = (host: Host): string => join(folderOf(host), 'nginx.conf');

/** Writes the configuration of nginx in front of these processes. */
export function configureNginx(proxy: Host, apps: Host[]): void {
  const folder = folderOf(proxy);
  mkdirSync(folder, { recursive: true });
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const folders = temporary.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(' ');
  writeFileSync(
    nginxFile(proxy),
    `user root; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/nginx.log;
events { worker_connections 2048; }
http { access_log off; ${folders}
${plainNginxSite(apps.map(appAddress), `${proxy.address}:80`)}}`,
  );
}

export function startNginx(host: Host): void {
  if (isRunning(host, 'nginx')) return;
  const command = [
    'nginx',
    '-c',
    nginxFile(host),
    '-e',
    join(folderOf(host), 'nginx.log'),
    '-g',
    'daemon off;',
  ];
  startOn(host, { command }, join(clusterFolder, `${host.name}.log`));
}

/** Makes nginx read its configuration again, as `systemctl reload nginx` does. */
export function reloadNginx(host: Host): void {
  process.kill(Number(readFileSync(join(folderOf(host), 'nginx.pid'), 'utf8')), 'SIGHUP');
}
