import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '#server/platform/package-root.ts';
import { etcdHostsOf, type Host, type Hosts, type Passwords } from './hosts.ts';

/** Where a server stores its data, and whether Patroni uses the kernel's watchdog (`automatic` or `off`). */
export type Placing = { folder: string; watchdog: 'automatic' | 'off' };

/** The folders of Debian's packages, and the watchdog where the kernel has one. */
export const debianPlacing: Placing = { folder: '/var/lib', watchdog: 'automatic' };

/** The file's path on the server, and its text. */
export type ConfigFile = { path: string; text: string };

/** Returns the configuration files of one server, rendered from deploy/cluster/templates and docs/operations.md. */
export function configFilesOf(
  hosts: Hosts,
  host: Host,
  passwords: Passwords,
  { folder, watchdog }: Placing = debianPlacing,
): ConfigFile[] {
  const values: Record<string, string> = {
    ...host,
    network: hosts.network,
    etcdFolder: `${folder}/etcd/app`,
    etcdMembers: list(etcdHostsOf(hosts), ({ name, address }) => `${name}=http://${address}:2380`),
    etcdClients: list(etcdHostsOf(hosts), ({ address }) => `${address}:2379`),
    dataFolder: `${folder}/postgresql/15/app`,
    passFile: `${folder}/postgresql/patroni.pass`,
    watchdog,
    superuserPassword: passwords.superuser,
    replicationPassword: passwords.replication,
    appPassword: passwords.app,
    proxies: list(hosts.proxies, ({ address }) => address),
    databases: list(hosts.databases, ({ address }) => `${address}:5432`),
  };
  const file = (path: string, template: string): ConfigFile => ({ path, text: render(template, values) });
  if (hosts.databases.includes(host)) {
    const etcd = file('/etc/default/etcd', 'etcd.env');
    const patroni = file('/etc/patroni/config.yml', 'patroni.yml');
    return etcdHostsOf(hosts).includes(host) ? [etcd, patroni] : [patroni];
  }
  if (hosts.apps.includes(host)) return [file('/etc/app.env', 'app.env')];
  return [{ path: '/etc/nginx/sites-enabled/app', text: nginxSite(hosts.apps.map(appAddress)) }];
}

/** The address at which an application server listens. */
export const appAddress = ({ address }: Host): string => `${address}:3000`;

const list = (hosts: Host[], textOf: (host: Host) => string): string => hosts.map(textOf).join(',');

function render(template: string, values: Record<string, string>): string {
  const text = readFileSync(join(import.meta.dirname, 'templates', template), 'utf8');
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`${template} uses the unknown value ${name}.`);
    return value;
  });
}

/** The configuration of nginx in docs/operations.md, in front of these processes (`address:port`). */
export function nginxSite(processes: string[]): string {
  const guide = readFileSync(join(packageRoot, 'docs', 'operations.md'), 'utf8');
  const site = /```nginx\n([\s\S]*?)```/.exec(guide)?.[1];
  if (!site) throw new Error('docs/operations.md has no configuration for nginx.');
  const servers = processes.map((address) => `  server ${address} max_fails=0;\n`).join('');
  return site.replace(/( {2}server 127\.0\.0\.1:\d+ max_fails=0;\n)+/, servers);
}

/** The same configuration without TLS, for tests, on this address (`address:port`). */
export const plainNginxSite = (processes: string[], listen: string): string =>
  nginxSite(processes)
    .replace(/listen 443 ssl[^;]*;/, `listen ${listen};`)
    .replace(/server \{\n {2}listen 80;[\s\S]*?\n\}\n/, '')
    .replace(/^\s*#.*http2 on.*$/gm, '')
    .replace(/^\s*(http2|ssl_|server_name)[^;]*;$/gm, '');
