import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The content of a file in the simulator's data folder, by which other processes find it. */
export interface RunningSimulator {
  url: string;
  pid: number;
}

const timeoutMs = 15_000;

/**
 * The running simulator whose journal is in this folder, or null. The simulator may still be loading the journal.
 * Throws if its process is alive but does not respond, because a second simulator would then write to the same journal.
 */
export async function findRunning(dataDir: string): Promise<RunningSimulator | null> {
  const running = readRunning(dataDir);
  if (!running) return null;
  if (!isAlive(running.pid)) return null;
  try {
    const answer = await fetch(`${running.url}/healthz`, { signal: AbortSignal.timeout(timeoutMs) });
    const { pid } = (await answer.json()) as { pid: number };
    return pid === running.pid ? running : null;
  } catch (error) {
    if ((error as Error).name !== 'TimeoutError') return null;
    throw new Error(`Process ${running.pid} uses ${dataDir} but does not respond at ${running.url}.`);
  }
}

function readRunning(dataDir: string): RunningSimulator | null {
  try {
    return JSON.parse(readFileSync(join(dataDir, 'card-network.json'), 'utf8')) as RunningSimulator;
  } catch {
    return null;
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  // In a container, a dead process without a parent may remain as a zombie.
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return true;
  }
}
