import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2Bindings, HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { LRUCache } from 'lru-cache';
import type { AssertReadAllowed } from './address-limit.ts';
import { type AnsweredRequest, chooseRequestId } from './http.ts';
import { isEtagKnown, pickEncoding } from './send-cached.ts';
import { findClientAddress, type TrustedProxies } from './trusted-proxy.ts';

/** A response as it is sent, without the id of the request. */
type Kept = { route: string; headers: Record<string, string>; etag: string; body: Buffer };
type Fetch = (request: Request, env: HttpBindings | Http2Bindings) => Response | Promise<Response>;

/** Responses that visitors share; see {@link createVisitorCache}. */
export type VisitorCache = {
  /** Sends the cached response, if there is one for this request; otherwise returns false. */
  send: (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;
  /** Caches the responses of `fetch` to visitors. */
  wrap: (fetch: Fetch) => Fetch;
};

/** The maximum number of cached responses, and their maximum total size in bytes. A page of lessons takes about 50 kB. */
const max = 1_000;
const maxSize = 32 * 1024 * 1024;

const ofOneRequest = ['x-request-id', 'connection'];
const ofBody = ['content-type', 'content-length', 'content-encoding'];
const isPrivate = (headers: Headers) =>
  headers.has('set-cookie') || (headers.get('cache-control')?.includes('no-store') ?? false);

/** How many recently requested URLs are remembered. Only a URL that is requested again gets a cached response. */
const maxAsked = 10_000;

/**
 * Caches successful responses to signed-out GET requests for `paths`, by their exact URL. A cached response is sent
 * before the router runs, with the same headers, limit per IP address and metrics, but is not logged. Concurrent
 * requests for the same URL share one response. Responses that nobody else asks for are not cached: reading and hashing
 * them would take a quarter of the request's time.
 */
export function createVisitorCache({
  ttlMs,
  paths,
  trustProxy,
  assertReadAllowed,
  observe,
}: {
  /** How long a response is shared, in milliseconds: at least 1. */
  ttlMs: number;
  paths: readonly string[];
  trustProxy: TrustedProxies;
  assertReadAllowed: AssertReadAllowed;
  observe?: ((request: AnsweredRequest) => void) | undefined;
}): VisitorCache {
  const cacheable = new Set(paths);
  const cache = new LRUCache<string, Kept>({
    ttl: ttlMs,
    max,
    maxSize,
    sizeCalculation: ({ body }) => body.length + 1_000,
  });
  const asked = new LRUCache<string, true>({ ttl: ttlMs, max: maxAsked });
  const running = new Map<string, { end: Promise<void>; isAwaited: boolean }>();

  /** The key of a request whose response may be shared, otherwise null. */
  function keyOf({ method, url = '', headers }: IncomingMessage): string | null {
    if (method !== 'GET' || headers.authorization !== undefined) return null;
    const end = url.indexOf('?');
    if (!cacheable.has(end < 0 ? url : url.slice(0, end))) return null;
    return `${pickEncoding(headers['accept-encoding']) ?? ''} ${url}`;
  }

  /** Reads a response that may be shared, with the headers that are already set on `outgoing`. */
  async function read(route: string, response: Response, outgoing: ServerResponse): Promise<Kept> {
    const body = Buffer.from(await response.arrayBuffer());
    const headers: Record<string, string> = { 'cache-control': 'no-cache' };
    for (const [name, value] of Object.entries(outgoing.getHeaders())) headers[name] = String(value);
    for (const [name, value] of response.headers) headers[name] = value;
    headers.etag ??= `W/"${createHash('sha1').update(body).digest('base64url')}"`;
    headers['content-length'] = String(body.length);
    for (const name of ofOneRequest) delete headers[name];
    return { route, headers, etag: headers.etag, body };
  }

  function write(kept: Kept, incoming: IncomingMessage, outgoing: ServerResponse): number {
    const status = isEtagKnown(incoming.headers['if-none-match'], kept.etag) ? 304 : 200;
    const headers = { ...kept.headers };
    if (status === 304) for (const name of ofBody) delete headers[name];
    outgoing.writeHead(status, headers).end(status === 304 ? undefined : kept.body);
    return status;
  }

  function isAllowed(incoming: IncomingMessage): boolean {
    const forwarded = incoming.headers['x-forwarded-for']?.toString();
    try {
      assertReadAllowed(findClientAddress(trustProxy, incoming.socket.remoteAddress, forwarded));
      return true;
    } catch {
      return false;
    }
  }

  function send(incoming: IncomingMessage, outgoing: ServerResponse): boolean {
    const key = keyOf(incoming);
    const kept = key === null ? undefined : cache.get(key);
    // The router refuses an IP address over its limit.
    if (!kept || !isAllowed(incoming)) return false;
    const startedAt = performance.now();
    outgoing.setHeader('x-request-id', chooseRequestId(incoming.headers['x-request-id']?.toString()));
    const status = write(kept, incoming, outgoing);
    observe?.({ method: 'GET', route: kept.route, status, seconds: (performance.now() - startedAt) / 1_000 });
    return true;
  }

  return {
    send,
    wrap: (fetch) => async (request, env) => {
      const { incoming, outgoing } = env as HttpBindings;
      const key = keyOf(incoming);
      if (key === null) return fetch(request, env);
      const other = running.get(key);
      if (other) {
        other.isAwaited = true;
        await other.end;
        if (send(incoming, outgoing)) return RESPONSE_ALREADY_SENT;
      }
      let finish = () => {};
      const own = { end: new Promise<void>((resolve) => (finish = resolve)), isAwaited: asked.has(key) };
      running.set(key, own);
      try {
        const response = await fetch(request, env);
        asked.set(key, true);
        if (!own.isAwaited || response.status !== 200 || isPrivate(response.headers)) return response;
        const kept = await read(new URL(request.url).pathname, response, outgoing);
        cache.set(key, kept);
        write(kept, incoming, outgoing);
        return RESPONSE_ALREADY_SENT;
      } finally {
        running.delete(key);
        finish();
      }
    },
  };
}
