// npm run cluster -- up | down | status | kill-primary | add-node
// npm run cluster -- faults [NAME]
// npm run cluster -- measure
// npm run cluster -- files HOSTS.json FOLDER
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ensureBuilt } from '../../scripts/ensure-built.mjs';
import { addNode, down, killPrimary, status, up, urlOf } from './cluster.ts';
import { configFilesOf } from './config-files.ts';
import { runFaults } from './fault-run.ts';
import { hostsSchema } from './hosts.ts';
import { measure } from './measure.ts';
import { findMissing } from './packages.ts';
import { type Cluster, readCluster } from './state.ts';

const [command = '', ...args] = process.argv.slice(2);

const running = (): Cluster => {
  const cluster = readCluster();
  if (!cluster) throw new Error('No cluster is running here. To start one: npm run cluster -- up');
  return cluster;
};

const commands: Record<string, () => Promise<void>> = {
  up: async () => {
    if (!ensureBuilt()) throw new Error('The product could not be built.');
    const cluster = await up();
    console.log(`Ready: ${urlOf(cluster)} (from this machine only)`);
    console.log((await status(cluster)).join('\n'));
  },
  down,
  status: async () => console.log((await status(running())).join('\n')),
  'kill-primary': async () => {
    const { killed, promoted, seconds } = await killPrimary(running());
    console.log(`${killed.name} killed; ${promoted.name} is the primary after ${seconds.toFixed(1)} s`);
    console.log(`npm run cluster -- up starts ${killed.name} again, as a standby`);
  },
  faults: async () => {
    if (!ensureBuilt()) throw new Error('The product could not be built.');
    if (!(await runFaults(args[0]))) process.exitCode = 1;
  },
  measure: async () => {
    const missing = findMissing({ pgbouncer: 'pgbouncer' });
    if (missing) throw new Error(missing);
    if (!ensureBuilt()) throw new Error('The product could not be built.');
    await measure();
  },
  'add-node': async () => console.log(`${(await addNode(running())).name} follows the primary`),
};

/** Writes the configuration files for real servers, into one folder per server. */
function writeFiles([hostsFile, folder]: string[]): void {
  if (!hostsFile || !folder) throw new Error('Usage: npm run cluster -- files HOSTS.json FOLDER');
  const hosts = hostsSchema.parse(JSON.parse(readFileSync(hostsFile, 'utf8')));
  const password = () => randomBytes(16).toString('hex');
  const passwords = { superuser: password(), replication: password(), app: password() };
  for (const host of [...hosts.databases, ...hosts.apps, ...hosts.proxies]) {
    for (const { path, text } of configFilesOf(hosts, host, passwords)) {
      const file = join(folder, host.name, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text, { mode: 0o600 });
      console.log(file);
    }
  }
}

try {
  if (command === 'files') writeFiles(args);
  else {
    const run = commands[command];
    if (!run) throw new Error(`Choose from ${[...Object.keys(commands), 'files'].join(', ')}.`);
    const missing = findMissing();
    if (missing) throw new Error(missing);
    await run();
  }
  process.exit();
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
