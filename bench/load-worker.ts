// Runs in its own thread: sends requests over keep-alive connections and reports how long each took.
import http from 'node:http';
import { parentPort } from 'node:worker_threads';
import type { Load, LoadAnswer, LoadRequest } from './load.ts';

parentPort?.on('message', async (load: Load) => parentPort?.postMessage(await ask(load)));

async function ask({ port, requests, clients, durationMs }: Load): Promise<LoadAnswer> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: clients });
  const latencies: number[] = [];
  const statuses: Record<string, number> = {};
  const deadline = durationMs ? performance.now() + durationMs : Number.POSITIVE_INFINITY;
  let next = 0;
  const askOnce = ({ method = 'GET', path, headers = {}, body }: LoadRequest) =>
    new Promise<number>((resolve, reject) => {
      const request = http.request({ agent, host: '127.0.0.1', port, method, path, headers }, (response) => {
        response.resume();
        response.once('end', () => resolve(response.statusCode ?? 0));
      });
      request.once('error', reject);
      request.end(body);
    });
  const client = async () => {
    while (performance.now() < deadline && (durationMs || next < requests.length)) {
      const request = requests[next++ % requests.length]!;
      const startedAt = performance.now();
      const status = await askOnce(request);
      latencies.push(performance.now() - startedAt);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: clients }, client));
  const seconds = (performance.now() - startedAt) / 1000;
  agent.destroy();
  return { latencies, statuses, seconds };
}
