import { randomUUID } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as delay, setImmediate as nextIteration } from 'node:timers/promises';
import { getRequestListener, RequestError } from '@hono/node-server';
import { statusByCode } from '#domain/error-statuses.ts';
import type { ErrorCode } from '#domain/errors.ts';
import type { VisitorCache } from './visitor-cache.ts';

/** Time limits for clients, in milliseconds. */
export const clientTimeouts = {
  // A browser sends its headers without a pause. A client that sends them slowly only occupies a connection.
  headersTimeout: 10_000,
  // Request bodies are small, so this is long enough for a phone with a weak signal.
  requestTimeout: 30_000,
  // Longer than the 60 s after which common proxies drop an idle connection. Otherwise a request that a proxy has just
  // sent on the connection would be lost.
  keepAliveTimeout: 65_000,
  // How often headersTimeout and requestTimeout are checked.
  connectionsCheckingInterval: 5_000,
};

/**
 * Listens for HTTP and handles requests with `fetch`. Input that never becomes a request (headers that are too large,
 * too slow or not HTTP) gets a refusal with a request id, in the same form as a refused request. Port 0 selects a free
 * port. `close` adds `Connection: close` to responses, accepts connections for another `drainMs`, then stops accepting
 * and waits for responses in progress for up to 30 s, but not for idle connections.
 */
export async function listen(
  fetch: Parameters<typeof getRequestListener>[0],
  {
    port,
    host,
    limits = clientTimeouts,
    sendCached,
  }: {
    port: number;
    host: string;
    limits?: typeof clientTimeouts;
    /** Responds to a request instead of `fetch` if it returns true. */
    sendCached?: VisitorCache['send'] | undefined;
  },
): Promise<{ server: Server; port: number; close: (options?: { drainMs?: number }) => Promise<void> }> {
  const answerRequest = getRequestListener(fetch, {
    errorHandler: (error) => {
      const isRequestWrong = error instanceof RequestError;
      return isRequestWrong
        ? describeRefusal('bad_request', 'The URL of this request is not well-formed.')
        : describeRefusal('internal', 'Something went wrong. Please try again.');
    },
  });
  const answers = new WeakMap<Socket, ServerResponse>();
  const underWay = new Set<ServerResponse>();
  let isClosing = false;
  let onIdle = () => {};
  const forget = (outgoing: ServerResponse) => {
    underWay.delete(outgoing);
    if (underWay.size === 0) onIdle();
  };
  const server = createServer(limits, (incoming, outgoing) => {
    answers.set(incoming.socket, outgoing);
    if (isClosing) outgoing.setHeader('connection', 'close');
    underWay.add(outgoing);
    outgoing.once('close', () => forget(outgoing));
    if (!sendCached?.(incoming, outgoing)) void answerRequest(incoming, outgoing);
  });
  // A response to a pipelined request emits no `close` if the connection ends before its turn.
  server.on('connection', (socket) => {
    socket.once('close', () => {
      for (const outgoing of underWay) if (outgoing.req.socket === socket) forget(outgoing);
    });
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const answer = answers.get(socket);
    const isAnswering = answer?.headersSent && !answer.writableFinished;
    if (!socket.writable || isAnswering || error.code === 'ECONNRESET') return socket.destroy();
    void writeRefusal(socket, refusalOf(error.code));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('listening', resolve);
    server.once('error', reject);
    server.listen(port, host);
  });
  const close = async ({ drainMs = 0 } = {}) => {
    isClosing = true;
    for (const outgoing of underWay) if (!outgoing.headersSent) outgoing.setHeader('connection', 'close');
    if (drainMs > 0) {
      await delay(drainMs);
      await untilNothingIsAccepted();
    }
    // The HTTP server's own `close` would close even kept-alive connections on which a proxy is sending a request.
    const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
    const closeTimer = setTimeout(() => server.closeAllConnections(), clientTimeouts.requestTimeout);
    if (underWay.size > 0) {
      await new Promise<void>((resolve) => {
        onIdle = resolve;
      });
    }
    // Idle and unused connections would delay the stop by a minute.
    server.closeAllConnections();
    await closed;
    clearTimeout(closeTimer);
    // Stops the timer that checks for slow clients.
    server.close(() => {});
  };
  return { server, port: (server.address() as AddressInfo).port, close };
}

/**
 * Resolves after the event loop has accepted all waiting connections and is idle, or after a second. Closing the
 * listening socket resets connections that the kernel has accepted but the process has not, and their requests are
 * lost.
 */
async function untilNothingIsAccepted(): Promise<void> {
  const giveUpAt = performance.now() + 1_000;
  let before = performance.now();
  for (;;) {
    await nextIteration();
    const now = performance.now();
    if (now - before < 0.2 || now > giveUpAt) return;
    before = now;
  }
}

function refusalOf(code: string | undefined): Response {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return describeRefusal('headers_too_large', 'The headers of this request are too large.');
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return describeRefusal('request_timeout', 'This request took too long to arrive. Please try again.');
  }
  return describeRefusal('bad_request', 'This is not a well-formed HTTP request.');
}

function describeRefusal(code: ErrorCode, message: string): Response {
  const requestId = randomUUID();
  return new Response(JSON.stringify({ error: { code, message, requestId } }), {
    status: statusByCode[code],
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'x-request-id': requestId,
    },
  });
}

/** Refuses a request to switch to another protocol, and closes its connection. */
export function refuseUpgrade(socket: Duplex, code: ErrorCode, message: string): void {
  void writeRefusal(socket, describeRefusal(code, message));
}

async function writeRefusal(socket: Duplex, refusal: Response): Promise<void> {
  const body = await refusal.text();
  const headers = [...refusal.headers].map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${refusal.status} Refused`, ...headers, `content-length: ${body.length}`];
  socket.end(`${head.join('\r\n')}\r\nconnection: close\r\n\r\n${body}`, () => socket.destroy());
}
