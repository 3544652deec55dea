import http from 'node:http';
import { answerApi } from './api/api.ts';
import { IdempotencyKeys } from './api/idempotency.ts';
import { StripeError } from './api/stripe-error.ts';
import { answerChallenge } from './challenge.ts';
import { answerControl } from './control.ts';
import { type Incoming, type Simulator, sendJson } from './simulator.ts';

const largestBody = 256 * 1024;

/** The HTTP server; `simulator` is null while the journal is being read. */
export function createServer(getSimulator: () => Simulator | null): http.Server {
  let keys: IdempotencyKeys | null = null;
  return http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= largestBody) chunks.push(chunk);
    });
    request.on('end', () => {
      const simulator = getSimulator();
      const url = request.url!;
      const mark = url.indexOf('?');
      const incoming: Incoming = {
        method: request.method!,
        path: mark < 0 ? url : url.slice(0, mark),
        query: mark < 0 ? '' : url.slice(mark + 1),
        body: chunks.length === 1 ? chunks[0]!.toString() : Buffer.concat(chunks).toString(),
        request,
        response,
      };
      if (incoming.path === '/healthz') {
        return sendJson(response, simulator ? 200 : 503, {
          status: simulator ? 'ok' : 'starting',
          pid: process.pid,
        });
      }
      if (!simulator)
        return sendJson(response, 503, { error: { message: 'The Stripe simulator is starting.' } });
      if (size > largestBody) {
        return sendJson(response, 413, { error: { message: 'The request is too large.' } });
      }
      keys ??= new IdempotencyKeys(simulator.store.answers);
      answer(simulator, keys, incoming).catch((error) => {
        if (error instanceof StripeError) return sendJson(response, error.status, { error: error.error });
        console.error(error);
        if (!response.headersSent) {
          sendJson(response, 500, {
            error: { type: 'api_error', message: 'The Stripe simulator failed; see its log.' },
          });
        }
      });
    });
  });
}

async function answer(simulator: Simulator, keys: IdempotencyKeys, incoming: Incoming) {
  if (incoming.path.startsWith('/v1/')) return answerApi(simulator, keys, incoming);
  if (incoming.path.startsWith('/challenge')) return answerChallenge(simulator, incoming);
  if (incoming.path === '/control' || incoming.path.startsWith('/control/')) {
    return answerControl(simulator, incoming);
  }
  sendJson(incoming.response, 404, { error: { message: 'Not found.' } });
}
