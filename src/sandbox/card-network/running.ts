import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a card network writes into its data folder so that others find it. */
export interface RunningNetwork {
  url: string;
  pid: number;
}

/** The network that keeps its ledger in this folder, if it answers; it may still be reading its journal. */
export async function findRunning(dataDir: string): Promise<RunningNetwork | null> {
  try {
    const running = JSON.parse(readFileSync(join(dataDir, 'card-network.json'), 'utf8')) as RunningNetwork;
    const answer = await fetch(`${running.url}/healthz`, { signal: AbortSignal.timeout(2000) });
    const { pid } = (await answer.json()) as { pid: number };
    return pid === running.pid ? running : null;
  } catch {
    return null;
  }
}
