import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from 'vitest';
import { beforeTests, startTestApp, type TestApp } from './test-app.test-support.ts';

/** A stopped call: await `arrived`, then let the call through or drop it. */
export type Stop = {
  arrived: Promise<void>;
  pass: () => void;
  lose: () => void;
  /**
   * Responds instead of the Stripe simulator, with this status and JSON body. Only for a call that is stopped `before`.
   */
  answer: (status: number, body: object) => void;
};
type Verdict = 'pass' | 'lose' | { status: number; body: object };

const isMeant = (expected: string, call: string) =>
  expected.endsWith('/') ? call.startsWith(expected) : call.split('?')[0] === expected;

export type Gate = Awaited<ReturnType<typeof openGate>>;

/**
 * A proxy between the server and the Stripe simulator that can stop single calls, before the simulator sees them or
 * after it has acted, and then let them through or drop them. `connect` sets the simulator's address.
 */
export async function openGate() {
  let target = '';
  type Armed = {
    call: string;
    side: 'before' | 'after';
    arrive: () => void;
    verdict: Promise<Verdict>;
  };
  const armed: Armed[] = [];

  const take = (call: string, side: Armed['side']) => {
    const index = armed.findIndex((stop) => stop.side === side && isMeant(stop.call, call));
    return index < 0 ? undefined : armed.splice(index, 1)[0];
  };
  const ask = async (call: string, side: Armed['side']) => {
    const stop = take(call, side);
    stop?.arrive();
    return (await stop?.verdict) ?? 'pass';
  };

  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const call = `${request.method} ${request.url}`;
    const before = await ask(call, 'before');
    if (before === 'lose') return request.socket.destroy();
    if (before !== 'pass') {
      response.writeHead(before.status, { 'content-type': 'application/json' });
      return response.end(JSON.stringify(before.body));
    }
    const forward = http.request(
      target + request.url,
      { method: request.method, headers: request.headers },
      async (answer) => {
        const body: Buffer[] = [];
        for await (const chunk of answer) body.push(chunk as Buffer);
        if ((await ask(call, 'after')) === 'lose') return request.socket.destroy();
        response.writeHead(answer.statusCode!, answer.headers).end(Buffer.concat(body));
      },
    );
    forward.on('error', () => request.socket.destroy());
    forward.end(Buffer.concat(chunks));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connect: (url: string) => {
      target = url;
    },
    /** Stops the next call with this name ("POST /v1/payment_intents"); a name that ends in a slash is a prefix. */
    stopNext(call: string, side: Armed['side']): Stop {
      let arrive = () => {};
      let decide = (_: Verdict) => {};
      const arrived = new Promise<void>((resolve) => {
        arrive = resolve;
      });
      const verdict = new Promise<Verdict>((resolve) => {
        decide = resolve;
      });
      armed.push({ call, side, arrive, verdict });
      return {
        arrived,
        pass: () => decide('pass'),
        lose: () => decide('lose'),
        answer: (status, body) => decide({ status, body }),
      };
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The app for all tests of this file, with a gate between the app and the Stripe simulator. */
export function setUpGatedApp(): { app: TestApp; gate: Gate } {
  const gate = beforeTests(openGate);
  afterAll(() => gate.close?.());
  const app = beforeTests(() => startTestApp({ env: { STRIPE_API_BASE: gate.url } }));
  afterAll(() => app.stop?.());
  beforeAll(() => gate.connect(app.stripeSimulator.url));
  return { app, gate };
}
