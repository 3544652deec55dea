import type { HttpBindings } from '@hono/node-server';
import type { MiddlewareHandler } from 'hono';

// Stripe documents what its script needs: https://docs.stripe.com/security/guide (content security policy).
const stripe = {
  script: 'https://js.stripe.com https://*.js.stripe.com',
  frame: 'https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
  connect: 'https://api.stripe.com',
};

/**
 * Sets the headers of every response. The policy allows no inline scripts except those with one of `scriptHashes`
 * ("'sha256-…'"), and includes Stripe's hosts only if cards go to Stripe. If `isSecure`, browsers are instructed to
 * require TLS.
 */
export function securityHeaders({
  usesStripe,
  isSecure,
  scriptHashes = [],
  publicUrl,
}: {
  usesStripe: boolean;
  isSecure: boolean;
  /** Included in the policy for live updates: Safari before 15.4 does not count WebSockets as 'self'. */
  publicUrl: string;
  scriptHashes?: string[];
}): MiddlewareHandler<{ Bindings: HttpBindings }> {
  const extra = (hosts: string) => (usesStripe ? ` ${hosts}` : '');
  const policy = [
    "default-src 'self'",
    `script-src ${["'self'", ...scriptHashes].join(' ')}${extra(stripe.script)}`,
    `frame-src 'self'${extra(stripe.frame)}`,
    `connect-src 'self' ${new URL(publicUrl).origin.replace(/^http/, 'ws')}${extra(stripe.connect)}`,
    // Radix positions its layers with style attributes, and the toaster adds its own style element.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'self'",
  ].join('; ');
  const fixed = Object.entries({
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'x-permitted-cross-domain-policies': 'none',
    'permissions-policy': 'camera=(), microphone=(), geolocation=()',
    'x-frame-options': 'SAMEORIGIN',
    ...(isSecure && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
  });
  // Setting the headers on Node's own response is cheap. On a finished Response, each header would be copied. Headers
  // that a response sets itself override these headers: the simulated bank's page has a stricter policy.
  return async (c, next) => {
    const { outgoing } = c.env;
    for (const [name, value] of fixed) outgoing.setHeader(name, value);
    await next();
  };
}
