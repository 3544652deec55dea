import { execFileSync, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { Host } from './hosts.ts';

/**
 * Each server of the cluster is a network namespace on this machine. A bridge connects them, with no route to
 * anywhere else. The range of addresses is reserved for benchmarks (RFC 2544), so no real network uses it.
 */
export const network = '198.18.0.0/24';
/** This machine's address on the bridge, for the Stripe simulator and the mail server of tests. */
export const ownAddress = '198.18.0.1';

const bridge = 'app-cluster';
/** The name of a server's namespace, and of its link to the bridge. */
export const namespaceOf = ({ name }: Host): string => `app-${name}`;

const ip = (...args: string[]): string => execFileSync('ip', args, { encoding: 'utf8', stdio: 'pipe' });

export function addBridge(): void {
  if (ip('-br', 'link').includes(`${bridge} `)) return;
  ip('link', 'add', bridge, 'type', 'bridge');
  ip('addr', 'add', `${ownAddress}/24`, 'dev', bridge);
  ip('link', 'set', bridge, 'up');
}

/** Gives this machine one more address on the bridge. */
export function addOwnAddress(address: string): void {
  ip('addr', 'add', `${address}/24`, 'dev', bridge);
}

/** Creates the namespace of a server unless it exists. */
export function addNamespace(host: Host): void {
  const namespace = namespaceOf(host);
  if (listNamespaces().includes(namespace)) return;
  ip('netns', 'add', namespace);
  ip('link', 'add', namespaceOf(host), 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace);
  ip('link', 'set', namespaceOf(host), 'master', bridge, 'up');
  ip('-n', namespace, 'addr', 'add', `${host.address}/24`, 'dev', 'eth0');
  ip('-n', namespace, 'link', 'set', 'eth0', 'up');
  ip('-n', namespace, 'link', 'set', 'lo', 'up');
}

/** Connects a server's link to the bridge, or disconnects it. */
export function setLink(host: Host, isUp: boolean): void {
  ip('link', 'set', namespaceOf(host), isUp ? 'up' : 'down');
}

/** The namespaces of the cluster that exist. */
export function listNamespaces(): string[] {
  const names = ip('netns', 'list').split('\n');
  return names.map((line) => line.split(' ')[0]!).filter((name) => /^app-(db|app|proxy)\d+$/.test(name));
}

/** The ids of all processes of a server. */
export const listProcesses = (namespace: string): number[] =>
  ip('netns', 'pids', namespace).split('\n').filter(Boolean).map(Number);

/** Ends all processes of a server with `kill -9`. */
export function killProcesses(namespace: string): void {
  // A process may start another before it is killed itself.
  for (let pids = listProcesses(namespace); pids.length > 0; pids = listProcesses(namespace)) {
    for (const pid of pids) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {}
    }
  }
}

/** Kills all processes of the cluster's servers and removes every namespace and the bridge. */
export function removeNetwork(): void {
  for (const namespace of listNamespaces()) {
    killProcesses(namespace);
    // A namespace and its link may outlive its name for a while.
    if (ip('-br', 'link').includes(`${namespace}@`)) ip('link', 'del', namespace);
    ip('netns', 'del', namespace);
  }
  if (ip('-br', 'link').includes(`${bridge} `)) ip('link', 'del', bridge);
}

export type Program = { command: string[]; env?: Record<string, string>; user?: string; cwd?: string };

/** Starts a program on a server; the program outlives this process. Its output is appended to `logFile`. */
export function startOn(
  host: Host,
  { command, env = {}, user = 'root', cwd = '/' }: Program,
  logFile: string,
) {
  const log = openSync(logFile, 'a');
  const asUser = ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--init-groups', '--'];
  const child = spawn('ip', ['netns', 'exec', namespaceOf(host), ...asUser, ...command], {
    ...{ cwd, detached: true, stdio: ['ignore', log, log] },
    env: { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8', ...env },
  });
  closeSync(log);
  child.unref();
}
