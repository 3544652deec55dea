import http from 'node:http';
import { answerApi } from './api/api.ts';
import { IdempotencyKeys } from './api/idempotency.ts';
import { StripeError } from './api/stripe-error.ts';
import { answerChallenge } from './challenge.ts';
import { answerControl } from './control.ts';
import { type Incoming, type Network, sendJson } from './network.ts';

const largestBody = 256 * 1024;

/** The HTTP server; `network` is null while the journal is being read. */
export function createServer(getNetwork: () => Network | null): http.Server {
  let keys: IdempotencyKeys | null = null;
  return http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= largestBody) chunks.push(chunk);
    });
    request.on('end', () => {
      const network = getNetwork();
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
        return sendJson(response, network ? 200 : 503, {
          status: network ? 'ok' : 'starting',
          pid: process.pid,
        });
      }
      if (!network)
        return sendJson(response, 503, { error: { message: 'The Stripe simulator is starting.' } });
      if (size > largestBody) {
        return sendJson(response, 413, { error: { message: 'The request is too large.' } });
      }
      keys ??= new IdempotencyKeys(network.store.answers);
      answer(network, keys, incoming).catch((error) => {
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

async function answer(network: Network, keys: IdempotencyKeys, incoming: Incoming) {
  if (incoming.path.startsWith('/v1/')) return answerApi(network, keys, incoming);
  if (incoming.path.startsWith('/challenge')) return answerChallenge(network, incoming);
  if (incoming.path === '/control' || incoming.path.startsWith('/control/')) {
    return answerControl(network, incoming);
  }
  sendJson(incoming.response, 404, { error: { message: 'Not found.' } });
}
