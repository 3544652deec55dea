import type { MiddlewareHandler } from 'hono';

// Stripe documents what its script needs at https://docs.stripe.com/security/guide (content security policy).
const stripe = {
  script: 'https://js.stripe.com https://*.js.stripe.com',
  frame: 'https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
  connect: 'https://api.stripe.com',
};

/**
 * Headers that every answer carries. The policy allows no inline script; Stripe's hosts are in it only where
 * cards go to Stripe. `isSecure`: the product is reached through TLS, so browsers are told to insist on it.
 */
export function securityHeaders({
  usesStripe,
  isSecure,
}: {
  usesStripe: boolean;
  isSecure: boolean;
}): MiddlewareHandler {
  const extra = (hosts: string) => (usesStripe ? ` ${hosts}` : '');
  const policy = [
    "default-src 'self'",
    `script-src 'self'${extra(stripe.script)}`,
    `frame-src 'self'${extra(stripe.frame)}`,
    `connect-src 'self'${extra(stripe.connect)}`,
    // Radix positions its layers with style attributes, and the toaster brings a style element of its own.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'self'",
  ].join('; ');
  return async (c, next) => {
    await next();
    const { headers } = c.res;
    if (!headers.has('content-security-policy')) headers.set('content-security-policy', policy);
    headers.set('x-content-type-options', 'nosniff');
    headers.set('referrer-policy', 'strict-origin-when-cross-origin');
    headers.set('cross-origin-opener-policy', 'same-origin');
    headers.set('permissions-policy', 'camera=(), microphone=(), geolocation=()');
    headers.set('x-frame-options', 'SAMEORIGIN');
    if (isSecure) headers.set('strict-transport-security', 'max-age=31536000; includeSubDomains');
  };
}
