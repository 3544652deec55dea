import { Worker } from 'node:worker_threads';

export type LoadRequest = { method?: string; path: string; headers?: Record<string, string>; body?: string };

/** The worker's input; see {@link runLoad}. */
export type Load = { port: number; requests: LoadRequest[]; clients: number; durationMs?: number };

/** The worker's result: milliseconds per request, and counts by status. */
export type LoadAnswer = { latencies: number[]; statuses: Record<string, number>; seconds: number };

export type LoadResult = {
  perSecond: number;
  /** Median latency in milliseconds. */
  p50: number;
  /** 99th percentile of the latency in milliseconds. */
  p99: number;
  seconds: number;
  statuses: Record<string, number>;
};

let worker: Worker | undefined;

// A thread does not inherit the TypeScript loader, so it registers its own.
const startWorker = `import('tsx/esm/api').then(({ register }) => {
  register();
  return import(require('node:worker_threads').workerData);
});`;

/**
 * Sends requests over HTTP from another thread: each once, or, with `durationMs`, repeatedly for that long.
 */
export async function runLoad(load: Load): Promise<LoadResult> {
  worker ??= new Worker(startWorker, {
    eval: true,
    workerData: new URL('./load-worker.ts', import.meta.url).href,
  });
  const current = worker;
  const answer = await new Promise<LoadAnswer>((resolve, reject) => {
    current.once('message', (found) => {
      current.off('error', reject);
      resolve(found);
    });
    current.once('error', reject);
    current.postMessage(load);
  });
  return summarise(answer.latencies, answer.seconds, answer.statuses);
}

export async function stopLoad(): Promise<void> {
  await worker?.terminate();
  worker = undefined;
}

/** Computes the rate, and percentiles of the latencies in milliseconds. */
export function summarise(
  latencies: number[],
  seconds: number,
  statuses: Record<string, number> = {},
): LoadResult {
  const sorted = latencies.sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { perSecond: sorted.length / seconds, p50: at(0.5), p99: at(0.99), seconds, statuses };
}

/** The middle of an odd number of measurements. */
export function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
