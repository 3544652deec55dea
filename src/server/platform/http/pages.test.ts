import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultBrand } from '#domain/default-brand.ts';
import { createLog } from '../log.ts';
import { createHttpApp } from './http.ts';
import { listen } from './listen.ts';
import { servePages } from './pages.ts';
import { securityHeaders } from './security-headers.ts';

let folder: string;
let server: Awaited<ReturnType<typeof listen>>;
let url: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'app-pages-'));
  const root = join(folder, 'web');
  await mkdir(join(root, 'assets'), { recursive: true });
  await mkdir(join(folder, 'web-secret'));
  await writeFile(
    join(root, 'index.html'),
    '<!doctype html><head><title>The page</title><script src="/early.js"></script></head><div id="root"></div>',
  );
  const script = 'let main;';
  await writeFile(join(root, 'assets', 'main-1a2b.js'), script);
  await writeFile(join(root, 'assets', 'main-1a2b.js.gz'), gzipSync(script));
  await writeFile(join(root, 'assets', 'main-1a2b.js.br'), brotliCompressSync(script));
  await writeFile(join(folder, 'secret.txt'), 'SECRET');
  await writeFile(join(folder, 'web-secret', 'secret.txt'), 'SECRET');
  const app = createHttpApp(createLog('silent'), { trustProxy: { hops: 0 } });
  app.use(securityHeaders({ usesStripe: true, isSecure: true, publicUrl: 'https://club.example' }));
  servePages(app, {
    isDemo: false,
    root,
    readPageData: async () => ({ brand: defaultBrand, dehydrated: [] }),
    renderFrame: (brand) => `Opening ${brand}`,
    assets: {
      early: { src: '/early.js', text: 'early()' },
      screens: { '/login': ['/assets/login.js'], '/coach/team': ['/assets/team.js'] },
      account: ['/assets/account.js'],
    },
    storageKey: 'key-of-session',
  });
  server = await listen(app.fetch, { port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${server.port}`;
});
afterAll(async () => {
  server.server.closeAllConnections();
  server.server.close();
  await rm(folder, { recursive: true });
});

test("serves the product's pages, and returns 404 for any other URL", async () => {
  for (const [path, status] of [
    ['/', 200],
    ['/customer/discover?search=a.b', 200],
    ['/coach/lesson/1/', 200],
    ['/nowhere', 404],
    ['/nowhere.html', 404],
    ['/assets', 404],
    ['/demo/outbox', 404],
    ['/dev/ui', 404],
  ] as const) {
    const answer = await fetch(url + path);
    expect(answer.status, path).toBe(status);
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    expect(await answer.text()).toContain('The page');
  }
  const gone = await fetch(`${url}/assets/main-0000.js`);
  expect(gone.status).toBe(404);
  expect(gone.headers.get('content-type')).toMatch(/^application\/json/);
});

test("preloads a public screen's scripts, and leaves a private screen's to early.js", async () => {
  const read = async (path: string) => (await fetch(url + path)).text();
  const open = await read('/login');
  expect(open).toContain('<link rel="modulepreload" crossorigin href="/assets/login.js">');
  expect(open).toContain(
    '<script data-session="key-of-session" data-modules="/assets/account.js">early()</script>',
  );
  const closed = await read('/coach/team');
  expect(closed).toContain('data-modules="/assets/account.js /assets/team.js"');
  expect(closed).not.toContain('modulepreload');
  expect(closed).toContain(`<div id="root">Opening ${defaultBrand}</div>`);
});

test('lets clients cache hashed files for a year, for GET and HEAD', async () => {
  const read = async (method: string) => {
    const answer = await fetch(`${url}/assets/main-1a2b.js`, {
      method,
      headers: { 'accept-encoding': 'identity' },
    });
    const {
      date: _d,
      connection: _c,
      'keep-alive': _k,
      'x-request-id': requestId,
      ...headers
    } = Object.fromEntries(answer.headers);
    return { status: answer.status, requestId, headers, text: await answer.text() };
  };
  const head = await read('HEAD');
  expect(head).toMatchObject({ status: 200, text: '', headers: { 'content-length': '9' } });
  expect(head.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  const [first, second] = [await read('GET'), await read('GET')];
  expect(first).toMatchObject({ status: 200, text: 'let main;' });
  // The second response comes from memory, but has its own request id.
  expect(second).toEqual({ ...first, requestId: expect.not.stringMatching(first.requestId!) });
  for (const { headers } of [first, second, await read('HEAD')]) {
    expect(headers).toMatchObject(head.headers);
  }
});

test('serves the encoding and the byte range that the client asks for', async () => {
  const ask = async (headers: Record<string, string>) => {
    const answer = await fetch(`${url}/assets/main-1a2b.js`, { headers });
    return [answer.status, answer.headers.get('content-encoding'), await answer.text()];
  };
  for (const _time of ['first', 'again']) {
    // Each client gets an encoding that it accepts, even if another encoding is already cached.
    expect(await ask({ 'accept-encoding': 'gzip;q=0, br;q=0' })).toEqual([200, null, 'let main;']);
    expect(await ask({ 'accept-encoding': 'gzip, br' })).toEqual([200, 'br', 'let main;']);
    expect(await ask({ 'accept-encoding': 'gzip' })).toEqual([200, 'gzip', 'let main;']);
    expect(await ask({ 'accept-encoding': 'identity' })).toEqual([200, null, 'let main;']);
    expect(await ask({ 'accept-encoding': 'identity', range: 'bytes=0-2' })).toEqual([206, null, 'let']);
  }
});

test("serves no file outside the web app's folder", async () => {
  const ways = ['..', '%2e%2e', '..%2f..', '%2e%2e%2f%2e%2e', '..%5c..', '..;', '%252e%252e', '....', './..'];
  const paths = ways.flatMap((way) => [
    `/${way}/secret.txt`,
    `/assets/${way}/${way}/secret.txt`,
    `/${way}/web-secret/secret.txt`,
    `//${way}/secret.txt`,
  ]);
  paths.push(
    `/${join(folder, 'secret.txt')}`,
    `${join(folder, 'secret.txt')}`,
    '/assets/main-1a2b.js%00.txt',
  );
  for (const path of paths) {
    // Uses a bare socket, because a client would normalise the path first.
    const socket = connect(server.port, '127.0.0.1');
    socket.write(`GET ${path} HTTP/1.1\r\nhost: club.example\r\nconnection: close\r\n\r\n`);
    const answer = await text(socket);
    expect(answer, path).toMatch(/^HTTP\/1\.1 (400|404) /);
    expect(answer, path).not.toContain('SECRET');
  }
});

test('sends security headers with every response', async () => {
  for (const [path, init] of [
    ['/', {}],
    ['/nowhere', {}],
    ['/assets/main-1a2b.js', {}],
    ['/assets/main-1a2b.js', { headers: { range: 'bytes=99-' } }],
    ['/assets/nowhere.js', {}],
    ['/', { method: 'POST' }],
    ['/', { method: 'OPTIONS' }],
  ] as const) {
    const { headers } = await fetch(url + path, init);
    expect(Object.fromEntries(headers), `${JSON.stringify(init)} ${path}`).toMatchObject({
      'x-request-id': expect.stringMatching(/^[\w-]{36}$/),
      'content-security-policy': expect.stringContaining("default-src 'self'"),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'x-frame-options': 'SAMEORIGIN',
      'cross-origin-opener-policy': 'same-origin',
      'strict-transport-security': expect.stringContaining('max-age=31536000'),
    });
    expect(headers.get('content-security-policy')).not.toMatch(/script-src[^;]*unsafe|\*;|\* /);
    expect(headers.has('access-control-allow-origin')).toBe(false);
  }
});

test('sets page titles on the server and hides private pages from search engines', async () => {
  for (const [path, title, isIndexed] of [
    ['/', 'The page', true],
    ['/customer/discover', 'Find a lesson · The page', true],
    ['/login', 'Sign in · The page', false],
    ['/coach/lesson/1', 'Lesson · The page', false],
    ['/nowhere', 'Page not found · The page', false],
  ] as const) {
    const html = await (await fetch(url + path)).text();
    expect(html, path).toContain(`<title>${title}</title>`);
    expect(html.includes('<meta name="robots" content="noindex" />'), path).toBe(!isIndexed);
  }
});
