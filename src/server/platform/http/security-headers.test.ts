import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { listen } from './listen.ts';
import { securityHeaders } from './security-headers.ts';

const publicUrl = 'https://club.example';

async function readPolicy(usesStripe: boolean, scriptHashes?: string[]): Promise<Record<string, string>> {
  const app = new Hono().use(
    securityHeaders({ usesStripe, isSecure: true, scriptHashes, publicUrl }) as never,
  );
  const served = await listen(app.fetch, { port: 0, host: '127.0.0.1' });
  const answer = await fetch(`http://127.0.0.1:${served.port}/`);
  await served.close();
  const policy = answer.headers.get('content-security-policy') ?? '';
  return Object.fromEntries(
    policy.split('; ').map((part) => [part.split(' ')[0], part.split(' ').slice(1).join(' ')]),
  );
}

const ownOnly = {
  'default-src': "'self'",
  'script-src': "'self'",
  'frame-src': "'self'",
  'connect-src': "'self' wss://club.example",
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' data:",
  'font-src': "'self'",
  'object-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'self'",
  'frame-ancestors': "'self'",
};

test('allows only our own origin if Stripe is not used', async () => {
  expect(await readPolicy(false)).toEqual(ownOnly);
  expect(await readPolicy(false, ["'sha256-abc='"])).toEqual({
    ...ownOnly,
    'script-src': "'self' 'sha256-abc='",
  });
});

// Stripe's list for Stripe.js (https://docs.stripe.com/security/guide), without the map hosts, which only its
// Address Element needs.
test("allows exactly the hosts that Stripe's script needs", async () => {
  expect(await readPolicy(true)).toEqual({
    ...ownOnly,
    'script-src': "'self' https://js.stripe.com https://*.js.stripe.com",
    'frame-src': "'self' https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com",
    'connect-src': "'self' wss://club.example https://api.stripe.com",
  });
});

test('stops other sites from embedding responses, and plug-ins from reading them', async () => {
  const app = new Hono().use(securityHeaders({ usesStripe: false, isSecure: true, publicUrl }) as never);
  const served = await listen(app.fetch, { port: 0, host: '127.0.0.1' });
  const { headers } = await fetch(`http://127.0.0.1:${served.port}/`);
  await served.close();
  expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
  expect(headers.get('x-permitted-cross-domain-policies')).toBe('none');
});
