import { createLocalJWKSet, errors, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Config, SigningKey } from '#server/platform/config.ts';
import type { SignInMethod } from '../queries.ts';

/** Seconds for which an access token is valid. */
export const accessTokenSeconds = 3600;

const audience = 'authenticated';
const algorithm = 'ES256';
const rememberedTokens = 10_000;

/** The claims of a verified access token; `exp` and `iat` in seconds since 1970. */
export type AccessClaims = { sub: string; session_id: string; email: string; iat: number; exp: number };

/** Signs and verifies the access tokens of one configuration. */
export type AccessTokens = {
  sign: (person: {
    userId: string;
    email: string;
    fullName?: string | null;
    sessionId: string;
    signedInAt: string;
    method?: SignInMethod;
    secondStepAt?: string | null;
  }) => Promise<{
    token: string;
    expiresAt: number;
  }>;
  /**
   * Verifies a token's signature, issuer, audience and expiry; returns null if any of them is wrong. Does not read the
   * session.
   */
  verify: (token: string) => Promise<AccessClaims | null>;
  /** The public keys, as a JWK set. */
  keySet: { keys: Record<string, unknown>[] };
};

/** The only sign-in method that this server has, in the format of GoTrue's `app_metadata`. */
export const appMetadata = { provider: 'email', providers: ['email'] };

/** GoTrue's `user_metadata`, which contains only the name. */
export const describeUserMetadata = (fullName: string | null | undefined) =>
  fullName ? { full_name: fullName } : {};

const secondsOf = (instant: string) => Math.floor(Date.parse(instant) / 1000);

const publicKeyOf = ({ kty, crv, x, y, kid }: SigningKey) => ({
  ...{ kty, crv, x, y, kid },
  ...{ alg: algorithm, use: 'sig', key_ops: ['verify'], ext: true },
});

/** Signs with the first key and verifies with all keys, so that a new key can be added without signing anyone out. */
export function createAccessTokens(config: Pick<Config, 'signingKeys' | 'publicUrl'>): AccessTokens {
  const issuer = `${config.publicUrl}/auth/v1`;
  const signingKey = config.signingKeys[0]!;
  const keySet = { keys: config.signingKeys.map(publicKeyOf) };
  const findKey = createLocalJWKSet(keySet);
  // Verifying a signature costs far more than a cache look-up, and a client sends the same token with every request.
  const verified = new LRUCache<string, AccessClaims>({ max: rememberedTokens });

  return {
    keySet,
    sign: async ({ userId, email, fullName, sessionId, signedInAt, method = 'password', secondStepAt }) => {
      const issuedAt = Math.floor(Date.now() / 1000);
      const expiresAt = issuedAt + accessTokenSeconds;
      const token = await new SignJWT({
        email,
        phone: '',
        app_metadata: appMetadata,
        user_metadata: describeUserMetadata(fullName),
        session_id: sessionId,
        role: 'authenticated',
        aal: secondStepAt ? 'aal2' : 'aal1',
        amr: [
          ...(secondStepAt ? [{ method: 'totp', timestamp: secondsOf(secondStepAt) }] : []),
          { method, timestamp: secondsOf(signedInAt) },
        ],
        is_anonymous: false,
      })
        .setProtectedHeader({ alg: algorithm, kid: signingKey.kid, typ: 'JWT' })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(userId)
        .setIssuedAt(issuedAt)
        .setExpirationTime(expiresAt)
        .sign({ ...signingKey, alg: algorithm });
      return { token, expiresAt };
    },
    verify: async (token) => {
      const known = verified.get(token);
      if (known) {
        if (known.exp > Date.now() / 1000) return known;
        verified.delete(token);
        return null;
      }
      try {
        const { payload } = await jwtVerify<AccessClaims>(token, findKey, {
          issuer,
          audience,
          algorithms: [algorithm],
          requiredClaims: ['sub', 'session_id', 'exp'],
        });
        verified.set(token, payload);
        return payload;
      } catch (error) {
        if (error instanceof errors.JOSEError) return null;
        throw error;
      }
    },
  };
}

/** The token of an `Authorization: Bearer …` header; null for any other kind of header. */
export function readBearer(authorization: string | undefined): string | null {
  return /^Bearer ([\w.~+/=-]+)$/i.exec(authorization ?? '')?.[1] ?? null;
}
