import { createECDH } from 'node:crypto';
import { addressOf } from './email-settings.ts';

/** The key pair that signs push messages, and our contact (VAPID, RFC 8292). The keys are base64url. */
export type PushSettings = {
  publicKey: string;
  privateKey: string;
  /** The contact for push services: our URL, or the sender of our emails. */
  subject: string;
  /** The URL of the stand-in for push services; undefined in production. */
  serviceBase: string | undefined;
};

/** Explains why VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY are not a key pair; null if they are, or if neither is set. */
export function findPushProblem(
  publicKey: string | undefined,
  privateKey: string | undefined,
): string | null {
  const [given, secret] = [publicKey?.trim(), privateKey?.trim()];
  const hint = '`npm run admin -- keys` prints a pair';
  if (!given && !secret) return null;
  if (!secret) return `VAPID_PRIVATE_KEY is missing: push needs both keys; ${hint}`;
  if (!given) return `VAPID_PUBLIC_KEY is missing: push needs both keys; ${hint}`;
  if (!/^[\w-]{43}$/.test(secret)) return `VAPID_PRIVATE_KEY must be 32 bytes as base64url; ${hint}`;
  const pair = createECDH('prime256v1');
  try {
    pair.setPrivateKey(secret, 'base64url');
  } catch {
    return `VAPID_PRIVATE_KEY must be a key of the curve P-256; ${hint}`;
  }
  return pair.getPublicKey('base64url') === given
    ? null
    : `VAPID_PUBLIC_KEY does not belong to VAPID_PRIVATE_KEY; ${hint}`;
}

/** The push settings, from variables that {@link findPushProblem} accepts; undefined if push is not set up. */
export function readPushSettings(env: {
  VAPID_PUBLIC_KEY?: string | undefined;
  VAPID_PRIVATE_KEY?: string | undefined;
  PUSH_SERVICE_BASE?: string | undefined;
  PUBLIC_URL?: string | undefined;
  MAIL_FROM: string;
}): PushSettings | undefined {
  if (!env.VAPID_PUBLIC_KEY || !env.VAPID_PRIVATE_KEY) return undefined;
  const isSecure = /^https:/i.test(env.PUBLIC_URL ?? '');
  return {
    publicKey: env.VAPID_PUBLIC_KEY,
    privateKey: env.VAPID_PRIVATE_KEY,
    // Push services refuse a URL that does not begin with https:.
    subject: isSecure ? env.PUBLIC_URL! : `mailto:${addressOf(env.MAIL_FROM)}`,
    serviceBase: env.PUSH_SERVICE_BASE,
  };
}
