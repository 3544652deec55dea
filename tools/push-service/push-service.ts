import { createECDH, type ECDH, randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { checkVapid } from './check-vapid.ts';
import { decryptPush } from './decrypt-push.ts';

/** The endpoint and the keys (base64url) that a browser gives to an application. */
export type BrowserSubscription = { endpoint: string; p256dh: string; auth: string };

/** A message as the browser would show it, with the headers that a push service reads. */
export type PushedMessage = {
  endpoint: string;
  title: string;
  body: string;
  path: string;
  tag: string;
  topic: string | null;
  urgency: string | null;
  ttlSeconds: number;
  /** The size of the encrypted message. */
  bytes: number;
  sentAt: string;
};

export type PushService = Awaited<ReturnType<typeof startPushService>>;

/** The server sends messages for this origin to the stand-in, whichever port the stand-in uses. */
const origin = 'https://push-service.invalid';
/** The largest body, in bytes, that every push service must accept (RFC 8030, section 7.2). */
const mostBytes = 4096;
const mostKept = 200;

type Stored = {
  subscriptions: Record<string, { privateKey: string; auth: string; publicKey: string | null }>;
  messages: PushedMessage[];
};

/**
 * A stand-in for the push services of Apple, Google and Mozilla, and for the browsers behind them. It issues
 * subscriptions, checks the signature of each message, and decrypts and keeps the message. `control.status` is its
 * response to all messages, `control.delayMs` makes it slow, and `answer` sets the status for one endpoint. With
 * `file`, subscriptions and messages survive a restart.
 */
export async function startPushService({ file }: { file?: string } = {}) {
  const { subscriptions, messages }: Stored =
    file && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { subscriptions: {}, messages: [] };
  const control = { status: 201, delayMs: 0 };
  const answers = new Map<string, number>();

  function store(): void {
    if (!file) return;
    writeFileSync(`${file}.new`, JSON.stringify({ subscriptions, messages }), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }

  /** A new subscription; with a public key, messages must be signed with the matching private key. */
  function subscribe(publicKey: string | null = null): BrowserSubscription {
    const keys = createECDH('prime256v1');
    keys.generateKeys();
    const auth = randomBytes(16).toString('base64url');
    const id = randomUUID();
    subscriptions[id] = { privateKey: keys.getPrivateKey('hex').padStart(64, '0'), auth, publicKey };
    store();
    return { endpoint: `${origin}/push/${id}`, p256dh: keys.getPublicKey('base64url'), auth };
  }

  const server = createServer(async (request, response) => {
    const body = await readBody(request);
    const { pathname } = new URL(request.url ?? '/', origin);
    const reply = (status: number, content: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content));
    if (request.method === 'GET' && pathname === '/messages') {
      return reply(200, { messages: messages.toReversed().slice(0, 50) });
    }
    if (request.method === 'POST' && pathname === '/subscriptions') {
      const { publicKey } = JSON.parse(body.toString() || '{}') as { publicKey?: string };
      return reply(201, subscribe(publicKey ?? null));
    }
    if (control.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, control.delayMs));
    const { status, problem } = receive(request, pathname, body);
    reply(status, problem ? { problem } : {});
  });

  function receive(
    request: IncomingMessage,
    pathname: string,
    body: Buffer,
  ): { status: number; problem?: string } {
    const { headers, method } = request;
    const id = /^\/push\/([\w-]+)$/.exec(pathname)?.[1] ?? '';
    const known = subscriptions[id];
    const endpoint = `${origin}${pathname}`;
    if (method !== 'POST' || !known) return { status: 404, problem: 'There is no such subscription.' };
    const status = answers.get(endpoint) ?? control.status;
    if (status >= 300) return { status };
    if (body.length > mostBytes) return { status: 413, problem: 'The message is too long.' };
    const ttlSeconds = Number(headers.ttl);
    if (!Number.isInteger(ttlSeconds) || headers['content-encoding'] !== 'aes128gcm') {
      return { status: 400, problem: 'TTL or Content-Encoding is missing.' };
    }
    const sender = checkVapid(headers.authorization, { audience: origin, nowMs: Date.now() });
    if ('problem' in sender) return { status: 401, problem: sender.problem };
    if (known.publicKey && known.publicKey !== sender.publicKey) {
      return { status: 403, problem: 'The subscription was made with another key.' };
    }
    const keys: ECDH = createECDH('prime256v1');
    keys.setPrivateKey(known.privateKey, 'hex');
    let shown: Pick<PushedMessage, 'title' | 'body' | 'path' | 'tag'>;
    try {
      shown = JSON.parse(decryptPush(body, { keys, auth: Buffer.from(known.auth, 'base64url') }));
    } catch (error) {
      // A browser would silently drop the message.
      return { status: 400, problem: (error as Error).message };
    }
    messages.push({
      endpoint,
      ...shown,
      topic: textOf(headers.topic),
      urgency: textOf(headers.urgency),
      ttlSeconds,
      bytes: body.length,
      sentAt: new Date().toISOString(),
    });
    messages.splice(0, messages.length - mostKept);
    store();
    return { status };
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    control,
    messages,
    subscribe,
    answer: (endpoint: string, status: number) => void answers.set(endpoint, status),
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const textOf = (header: string | string[] | undefined) => (typeof header === 'string' ? header : null);

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
