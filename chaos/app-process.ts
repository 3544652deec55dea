import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '#server/platform/free-port.ts';

const startDeadlineMs = 30_000;
const restartDelayMs = 200;

/** One server process under a supervisor, which restarts the process if it exits without being killed. */
export type AppProcess = Awaited<ReturnType<typeof startAppProcess>>;

/**
 * Starts `command` on a free port and keeps it running. `env` is its environment, in addition to PATH, HOST and PORT.
 */
export async function startAppProcess(command: string[], env: Record<string, string>) {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const endings: string[] = [];
  let child: ChildProcess | undefined;
  let shouldRun = false;

  const launch = () => {
    const started = spawn(command[0]!, command.slice(1), {
      stdio: ['ignore', env.LOG_LEVEL === 'silent' ? 'ignore' : 'inherit', 'pipe'],
      env: { PATH: process.env.PATH ?? '', HOST: '127.0.0.1', ...env, PORT: String(port) },
    });
    child = started;
    let said = '';
    let wasReady = false;
    void waitUntilReady(url, () => child === started).then((isReady) => {
      wasReady = isReady;
    });
    started.stderr?.on('data', (text) => {
      said = (said + text).slice(-2_000);
    });
    started.once('exit', (code, signal) => {
      if (child !== started || !shouldRun) return;
      // Without a database, the process exits at start and is restarted, which is not an unexpected ending.
      if (wasReady) endings.push(`ended with ${signal ?? `code ${code}`}: ${said}`);
      void delay(restartDelayMs).then(() => child === started && shouldRun && launch());
    });
  };
  const start = () => {
    if (shouldRun) return;
    shouldRun = true;
    launch();
  };
  const kill = async () => {
    shouldRun = false;
    const killed = child;
    child = undefined;
    if (!killed || killed.exitCode !== null || killed.signalCode !== null) return;
    const ended = once(killed, 'exit');
    killed.kill('SIGKILL');
    await ended;
  };
  start();
  return {
    url,
    start,
    kill,
    pause: () => child?.kill('SIGSTOP'),
    resume: () => child?.kill('SIGCONT'),
    /**
     * The exit code or signal, and the last output, of each process that became ready and then exited without being
     * killed.
     */
    endings,
    /** Starts the process if necessary and waits until it is ready. Throws after 30 s. */
    untilReady: async () => {
      start();
      if (!(await waitUntilReady(url, () => shouldRun))) throw new Error('The server was not ready in time.');
    },
  };
}

async function waitUntilReady(url: string, shouldRun: () => boolean): Promise<boolean> {
  const deadline = Date.now() + startDeadlineMs;
  while (shouldRun() && Date.now() < deadline) {
    const isReady = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(5_000) }).then(
      (response) => response.ok,
      () => false,
    );
    if (isReady) return true;
    await delay(25);
  }
  return false;
}
