import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { LedgerPayment } from './control.ts';
import { findRunning, isAlive, type RunningSimulator } from './running.ts';
import type { Switches } from './switches.ts';

const startDeadlineMs = 20_000;

export interface LaunchOptions {
  dataDir: string;
  /** Default: any free port. Ignored if a running simulator is reused. */
  port?: number;
  /** The IPv4 address to listen on. Default: 127.0.0.1. */
  host?: string;
  webhookUrl?: string;
  webhookSecret?: string;
  /** The types of events that are delivered. Default: all. */
  webhookEvents?: readonly string[];
  /** The program (not a wrapper script) and its first arguments. Default: the TypeScript source through tsx. */
  command?: string[];
}

export type ControlPatch = Partial<Switches> & {
  webhookUrl?: string | null;
  webhookSecret?: string;
  webhookEvents?: readonly string[] | null;
};

export interface StripeSimulator {
  /** The base URL, such as `http://127.0.0.1:49152`, for the SDK's `host`, `port` and `protocol`. */
  url: string;
  pid: number;
  /** Shuts the process down cleanly and waits until it has exited. */
  stop(): Promise<void>;
  control(patch: ControlPatch): Promise<void>;
  /** Every payment that ever succeeded, oldest first. */
  ledger(): Promise<LedgerPayment[]>;
}

/**
 * Starts the Stripe simulator as a separate process that outlives this one, or finds the simulator that already uses
 * the journal in `dataDir`. Then applies the webhook options. If the start fails, throws with the end of the log.
 */
export async function launchStripeSimulator(options: LaunchOptions): Promise<StripeSimulator> {
  const dataDir = resolve(options.dataDir);
  mkdirSync(dataDir, { recursive: true });
  const deadline = Date.now() + startDeadlineMs;
  let running = await findRunning(dataDir);
  if (!running) running = await spawnSimulator(dataDir, options, deadline);
  await waitUntilReady(running.url, deadline);
  const simulator = connect(running);
  const { webhookUrl, webhookSecret, webhookEvents } = options;
  if (webhookUrl !== undefined || webhookSecret !== undefined || webhookEvents !== undefined) {
    await simulator.control({ webhookEvents, webhookUrl, webhookSecret });
  }
  return simulator;
}

const repositoryRoot = fileURLToPath(new URL('../../', import.meta.url));
const sourceCommand = [
  process.execPath,
  '--import',
  'tsx',
  fileURLToPath(new URL('./main.ts', import.meta.url)),
];

async function spawnSimulator(
  dataDir: string,
  options: LaunchOptions,
  deadline: number,
): Promise<RunningSimulator> {
  const [program, ...first] = options.command ?? sourceCommand;
  const logFile = join(dataDir, 'card-network.log');
  const log = openSync(logFile, 'a');
  const child = spawn(
    program!,
    [
      ...first,
      `--data=${dataDir}`,
      `--port=${options.port ?? 0}`,
      ...(options.host === undefined ? [] : [`--host=${options.host}`]),
      ...(options.webhookUrl === undefined ? [] : [`--webhook-url=${options.webhookUrl}`]),
      ...(options.webhookSecret === undefined ? [] : [`--webhook-secret=${options.webhookSecret}`]),
    ],
    { detached: true, stdio: ['ignore', log, log], ...(!options.command && { cwd: repositoryRoot }) },
  );
  closeSync(log);
  let ended: string | null = null;
  child.on('error', (error) => {
    ended = error.message;
  });
  child.on('exit', (code, signal) => {
    ended = `it ended with ${signal ?? `code ${code}`}`;
  });
  child.unref();
  // Two launchers may race for one folder: the loser's process exits, and both launchers find the winner's process.
  for (;;) {
    const running = await findRunning(dataDir);
    if (running) {
      if (running.pid !== child.pid && ended === null) child.kill();
      return running;
    }
    if (ended !== null || Date.now() > deadline) {
      const tail = readFileSync(logFile, 'utf8').slice(-2000);
      throw new Error(`The Stripe simulator did not start: ${ended ?? 'no response in time'}.\n${tail}`);
    }
    await sleep(10);
  }
}

async function waitUntilReady(url: string, deadline: number) {
  for (;;) {
    const answer = await fetch(`${url}/healthz`);
    await answer.arrayBuffer();
    if (answer.ok) return;
    if (Date.now() > deadline) throw new Error('The Stripe simulator is still reading its journal.');
    await sleep(20);
  }
}

function connect({ url, pid }: RunningSimulator): StripeSimulator {
  return {
    url,
    pid,
    async stop() {
      if (isAlive(pid)) process.kill(pid, 'SIGTERM');
      while (isAlive(pid)) await sleep(10);
    },
    async control(patch) {
      const answer = await fetch(`${url}/control`, { method: 'PUT', body: JSON.stringify(patch) });
      if (!answer.ok) throw new Error(`The Stripe simulator refused: ${await answer.text()}`);
      await answer.arrayBuffer();
    },
    async ledger() {
      const answer = await fetch(`${url}/control/ledger`);
      return ((await answer.json()) as { payments: LedgerPayment[] }).payments;
    },
  };
}
