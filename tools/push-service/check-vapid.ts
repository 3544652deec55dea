import { createPublicKey, verify } from 'node:crypto';

/**
 * Checks the `Authorization` header of a push message (VAPID, RFC 8292). Returns the application's public key
 * (base64url), or a sentence that describes the problem.
 */
export function checkVapid(
  authorization: string | undefined,
  { audience, nowMs }: { audience: string; nowMs: number },
): { publicKey: string } | { problem: string } {
  const [, token = '', publicKey = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization ?? '') ?? [];
  const [header = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(publicKey, 'base64url');
  if (point.length !== 65 || point[0] !== 4) return { problem: 'The header has no public key.' };
  const jwk = {
    ...{ kty: 'EC', crv: 'P-256' },
    ...{ x: point.toString('base64url', 1, 33), y: point.toString('base64url', 33) },
  };
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  const isSigned = verify(
    'sha256',
    Buffer.from(`${header}.${claims}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isSigned || read(header).alg !== 'ES256') return { problem: 'The signature is wrong.' };
  const { aud, exp, sub } = read(claims);
  if (aud !== audience) return { problem: `The token is for ${aud}.` };
  const left = Number(exp) - nowMs / 1000;
  if (!(left > 0 && left <= 24 * 60 * 60)) return { problem: 'The token must expire within 24 hours.' };
  if (!/^(mailto:.+@|https:\/\/)/.test(String(sub))) return { problem: 'The token names nobody to contact.' };
  return { publicKey };
}

const read = (part: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
