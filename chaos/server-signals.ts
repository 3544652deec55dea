import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { readPostmaster } from '#server/embedded/postmaster.ts';

/**
 * Sends a signal to all processes of the PostgreSQL server that uses this data folder; does nothing if none is running.
 */
export async function signalServer(home: string, signal: NodeJS.Signals): Promise<void> {
  const running = await readPostmaster(home);
  if (!running) return;
  for (const pid of [running.pid, ...childrenOf(running.pid)]) send(pid, signal);
}

/** Sends a signal to a process; does nothing if the process has ended. */
export function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** The ids of a process's children. */
export function childrenOf(parent: number): number[] {
  if (process.platform !== 'linux') {
    const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).split('\n');
    const pairs = lines.map((line) => line.trim().split(/\s+/).map(Number));
    return pairs.filter(([, ppid]) => ppid === parent).map(([pid]) => pid!);
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => Number(readProcess(pid, 'stat').split(') ')[1]?.split(' ')[1]) === parent);
}

/** True if the process's title says that the process serves a client. Outside Linux, every server process counts. */
export const isBackend = (pid: number) =>
  process.platform !== 'linux' || readProcess(pid, 'cmdline').includes('127.0.0.1(');

function readProcess(pid: number, what: string): string {
  try {
    return readFileSync(`/proc/${pid}/${what}`, 'utf8');
  } catch {
    return '';
  }
}
