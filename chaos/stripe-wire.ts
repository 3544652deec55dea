import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Verdict } from './database-wire.ts';

/**
 * A call ("POST /v1/refunds") to stop, before the Stripe simulator receives it or after the simulator has acted on it.
 */
export type CallStop = { call: string; side: 'before' | 'after'; onReached: () => Promise<Verdict> };

export type StripeWire = Awaited<ReturnType<typeof openStripeWire>>;

/**
 * A proxy between one process and the Stripe simulator that can stop or drop single calls, or drop all calls.
 * `dropsKeys` removes the idempotency key from every call.
 */
export async function openStripeWire(target: () => string, { dropsKeys = false } = {}) {
  const stops: CallStop[] = [];
  const agent = new http.Agent({ keepAlive: true });
  let isDown = false;

  const ask = async (call: string, side: CallStop['side']): Promise<Verdict> => {
    const index = stops.findIndex((stop) => stop.side === side && call.startsWith(stop.call));
    return index < 0 ? 'pass' : stops.splice(index, 1)[0]!.onReached();
  };
  const server = http.createServer(async (request, response) => {
    const lose = () => request.socket.destroy();
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      return lose();
    }
    const call = `${request.method} ${request.url?.split('?')[0]}`;
    if (isDown || (await ask(call, 'before')) === 'lose') return lose();
    const headers = { ...request.headers };
    if (dropsKeys) delete headers['idempotency-key'];
    const forward = http.request(
      target() + request.url,
      { method: request.method, headers, agent },
      async (answer) => {
        const body: Buffer[] = [];
        try {
          for await (const chunk of answer) body.push(chunk as Buffer);
        } catch {
          return lose();
        }
        if (isDown || (await ask(call, 'after')) === 'lose') return lose();
        response.writeHead(answer.statusCode!, answer.headers).end(Buffer.concat(body));
      },
    );
    forward.on('error', lose);
    forward.end(Buffer.concat(chunks));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Stops the next call that starts with `stop.call`, once. Returns a function that removes the stop. */
    stopAt(stop: CallStop): () => void {
      stops.push(stop);
      return () => {
        const index = stops.indexOf(stop);
        if (index >= 0) stops.splice(index, 1);
      };
    },
    /** While true, calls get no response; calls that have reached the Stripe simulator still take effect. */
    setDown: (isToBe: boolean) => {
      isDown = isToBe;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
      agent.destroy();
    },
  };
}
