import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Journal, replayJournal } from './journal.ts';
import { findRunning, type RunningSimulator } from './running.ts';
import { createServer } from './server.ts';
import type { Simulator } from './simulator.ts';
import { Store } from './store.ts';
import { Dice, defaultSwitches } from './switches.ts';
import { WebhookSender } from './webhooks.ts';

const { values: args } = parseArgs({
  options: {
    data: { type: 'string' },
    port: { type: 'string', default: '0' },
    host: { type: 'string', default: '127.0.0.1' },
    'webhook-url': { type: 'string' },
    'webhook-secret': { type: 'string', default: '' },
    fsync: { type: 'boolean', default: false },
  },
});
if (!args.data) {
  console.error('Specify the folder of the journal: --data DIR');
  process.exit(1);
}
const dataDir = resolve(args.data);
const runningFile = join(dataDir, 'card-network.json');
mkdirSync(dataDir, { recursive: true });

let simulator: Simulator | null = null;
let isStopping = false;
const underWay = new Set<ServerResponse>();
const server = createServer(() => simulator);
server.on('request', (_, response: ServerResponse) => {
  underWay.add(response);
  response.once('close', () => {
    underWay.delete(response);
    closeConnections();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(Number(args.port), args.host, start);
server.on('error', (error) => {
  console.error(`The Stripe simulator can't listen on port ${args.port}: ${error.message}`);
  process.exit(1);
});

async function start() {
  const url = `http://${args.host}:${(server.address() as AddressInfo).port}`;
  await claimFolder({ pid: process.pid, url });
  const store = new Store();
  const path = join(dataDir, 'card-network.journal');
  await replayJournal(path, (entry) => store.replay(entry));
  const journal = new Journal(path, args.fsync);
  const switches = defaultSwitches();
  const dice = new Dice(switches.seed);
  const webhooks = new WebhookSender(store, journal, switches, dice);
  simulator = { store, journal, webhooks, switches, dice };
  webhooks.setEndpoint(args['webhook-url'] ?? null, args['webhook-secret']);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(simulator!));
  console.log(JSON.stringify({ url, pid: process.pid }));
}

/** Claims the folder or exits if a simulator is running there: two processes would damage each other's journal. */
async function claimFolder(self: RunningSimulator) {
  const draft = `${runningFile}.${self.pid}`;
  writeFileSync(draft, JSON.stringify(self));
  try {
    for (let attempt = 0; attempt < 3; attempt++) {
      try {
        linkSync(draft, runningFile);
        return;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      const other = await findRunning(dataDir);
      if (other) {
        console.error(`The Stripe simulator at ${other.url} already keeps its journal in ${dataDir}.`);
        process.exit(3);
      }
      rmSync(runningFile, { force: true });
    }
    throw new Error(`${runningFile} can't be claimed.`);
  } finally {
    rmSync(draft, { force: true });
  }
}

function stop({ journal, webhooks }: Simulator) {
  webhooks.stop();
  server.close(() => {
    journal.close();
    if (JSON.parse(readFileSync(runningFile, 'utf8')).pid === process.pid) rmSync(runningFile);
    process.exit(0);
  });
  isStopping = true;
  closeConnections();
}

/** While stopping, closes idle and unused connections, for which Node would otherwise wait a minute. */
function closeConnections() {
  if (isStopping && underWay.size === 0) server.closeAllConnections();
}
