import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const stopDeadlineMs = 30_000;

/** A PostgreSQL server, as its data folder describes it. */
export type Postmaster = { pid: number; port: number; isReady: boolean; isAlive: boolean };

/**
 * Reads the server's own lock file: line 1 is the process id, line 4 the port and line 8 the state. Returns undefined
 * if there is no such file. `isAlive` is false if a crash left the file behind; on Linux, even if another
 * program now has the process id.
 */
export async function readPostmaster(home: string): Promise<Postmaster | undefined> {
  const text = await readFile(join(home, 'postmaster.pid'), 'utf8').catch(() => undefined);
  if (!text) return undefined;
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  const isReady = lines[7]?.trim() === 'ready';
  return { pid, port: Number(lines[3]), isReady, isAlive: await isPostgresProcess(pid) };
}

async function isPostgresProcess(pid: number): Promise<boolean> {
  if (process.platform === 'linux') {
    const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    return /^\d+ \(postgres\) [^ZX]/.test(line);
  }
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Shuts down this data folder's server, which ends its connections, and waits until it has stopped. After 30 s it
 * orders an immediate shutdown (SIGQUIT) and returns without waiting. Does nothing if no server is running.
 */
export async function stopPostmaster(home: string): Promise<void> {
  const running = await readPostmaster(home);
  if (!running?.isAlive) return;
  const signal = (name: NodeJS.Signals) => {
    try {
      process.kill(running.pid, name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  };
  signal('SIGINT');
  const deadline = Date.now() + stopDeadlineMs;
  for (;;) {
    const now = await readPostmaster(home);
    if (now?.pid !== running.pid || !now.isAlive) return;
    if (Date.now() > deadline) return signal('SIGQUIT');
    await delay(10);
  }
}
