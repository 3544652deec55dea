import { createECDH, generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A new private ES256 key, as a JWK with a random key id. */
export function generateSigningKey(): Record<string, unknown> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...privateKey.export({ format: 'jwk' }), kid: randomBytes(8).toString('hex') };
}

/** A new key pair for web push (VAPID, RFC 8292): a public point and a private number of P-256, as base64url. */
function generatePushKeys(): Record<string, string> {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  return {
    VAPID_PUBLIC_KEY: pair.getPublicKey('base64url'),
    // Node.js omits the key's leading zeros.
    VAPID_PRIVATE_KEY: Buffer.from(pair.getPrivateKey('hex').padStart(64, '0'), 'hex').toString('base64url'),
  };
}

/** New signing, data and push keys, and credentials for the Stripe simulator, by environment variable. */
export function generateSecrets(): Record<string, string> {
  return {
    AUTH_SIGNING_KEYS: JSON.stringify([generateSigningKey()]),
    DATA_KEY: randomBytes(32).toString('hex'),
    ...generatePushKeys(),
    STRIPE_SECRET_KEY: `sk_test_sandbox_${randomBytes(12).toString('hex')}`,
    STRIPE_PUBLISHABLE_KEY: 'pk_test_sandbox',
    STRIPE_WEBHOOK_SECRET: `whsec_${randomBytes(24).toString('hex')}`,
  };
}

/**
 * The embedded installation's secrets, read from its data folder and created on first start. Adds the secrets that an
 * earlier version did not create.
 */
export async function loadDemoSecrets(dataDir: string): Promise<Record<string, string>> {
  const file = join(dataDir, 'secrets.json');
  let stored: Record<string, string> = {};
  try {
    stored = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const isWhole = Object.keys(generateSecrets()).every((name) => name in stored);
  if (isWhole) return stored;
  const secrets = { ...generateSecrets(), ...stored };
  await mkdir(dataDir, { recursive: true });
  // Written to a temporary file and renamed, so that an interruption leaves no half-written file.
  await writeFile(`${file}.new`, JSON.stringify(secrets, null, 2), { mode: 0o600 });
  await rename(`${file}.new`, file);
  return secrets;
}
