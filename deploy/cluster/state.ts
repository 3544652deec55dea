import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateSecrets } from '#server/embedded/demo-secrets.ts';
import type { Host, Hosts, Passwords } from './hosts.ts';
import { network } from './namespaces.ts';

/** The folder for everything that the cluster on this machine stores: data, logs and passwords. */
export const clusterFolder = join(tmpdir(), 'app-cluster');
const stateFile = join(clusterFolder, 'cluster.json');

/** The servers of the cluster on this machine, its passwords, and the product's secrets by environment variable. */
export type Cluster = { hosts: Hosts; passwords: Passwords; secrets: Record<string, string> };

const password = () => randomBytes(16).toString('hex');

const newHost = (name: string, lastByte: number): Host => ({ name, address: `198.18.0.${lastByte}` });
export const databaseHost = (number: number): Host => newHost(`db${number}`, 10 + number);
export const appHost = (number: number): Host => newHost(`app${number}`, 20 + number);

/** The cluster on this machine, or a new one with three database servers, three processes and a proxy. */
export function openCluster(): Cluster {
  const existing = readCluster();
  if (existing) return existing;
  mkdirSync(clusterFolder, { recursive: true, mode: 0o711 });
  const three = [1, 2, 3];
  const cluster: Cluster = {
    hosts: {
      network,
      databases: three.map(databaseHost),
      apps: three.map(appHost),
      proxies: [newHost('proxy1', 31)],
    },
    passwords: { superuser: password(), replication: password(), app: password() },
    secrets: { ...generateSecrets(), METRICS_TOKEN: password() },
  };
  saveCluster(cluster);
  return cluster;
}

export function readCluster(): Cluster | null {
  return existsSync(stateFile) ? (JSON.parse(readFileSync(stateFile, 'utf8')) as Cluster) : null;
}

export const saveCluster = (cluster: Cluster): void =>
  writeFileSync(stateFile, JSON.stringify(cluster, null, 2), { mode: 0o600 });

export const removeCluster = (): void => rmSync(clusterFolder, { recursive: true, force: true });

/** The folder of one server. */
export const folderOf = ({ name }: Host): string => join(clusterFolder, name);
