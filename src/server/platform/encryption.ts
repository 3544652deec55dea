import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** Keys of 32 bytes in hexadecimal. The first key encrypts; every key decrypts. */
export type DataKeys = readonly [string, ...string[]];

const algorithm = 'aes-256-gcm';

const keyIdOf = (key: Buffer) => createHash('sha256').update(key).digest('hex').slice(0, 8);

/** The prefix of every text encrypted with the first key. */
export function ciphertextPrefix([first]: DataKeys): string {
  return `v1.${keyIdOf(Buffer.from(first, 'hex'))}.`;
}

/**
 * Encrypts a short text with AES-256-GCM under the first of `dataKeys` and a fresh nonce. `context` identifies the text
 * and its owner; decryption needs the same context. Returns "v1.keyId.nonce.encrypted" (base64url).
 */
export function encryptText(dataKeys: DataKeys, text: string, context: string): string {
  const key = Buffer.from(dataKeys[0], 'hex');
  const nonce = randomBytes(12);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(context));
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return [ciphertextPrefix(dataKeys) + nonce.toString('base64url'), encrypted.toString('base64url')].join(
    '.',
  );
}

/** How many bytes longer {@link encryptBytes} makes its input. */
export const encryptedOverhead = 12 + 16;

/** Encrypts bytes with AES-256-GCM under a key of 32 bytes: nonce, encrypted bytes, tag. */
export function encryptBytes(key: Buffer, bytes: Uint8Array): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv(algorithm, key, nonce);
  return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
}

/** Decrypts bytes that {@link encryptBytes} encrypted. Throws for another key or altered bytes. */
export function decryptBytes(key: Buffer, encrypted: Buffer): Buffer {
  const decipher = createDecipheriv(algorithm, key, encrypted.subarray(0, 12), { authTagLength: 16 });
  decipher.setAuthTag(encrypted.subarray(-16));
  return Buffer.concat([decipher.update(encrypted.subarray(12, -16)), decipher.final()]);
}

/**
 * Decrypts a text that {@link encryptText} encrypted. Throws for an unknown key, another context or an altered text.
 */
export function decryptText(dataKeys: DataKeys, ciphertext: string, context: string): string {
  const [version, keyId, nonce, encrypted] = ciphertext.split('.');
  if (version !== 'v1' || !nonce || !encrypted) throw new Error('This is not an encrypted text.');
  const key = dataKeys.map((text) => Buffer.from(text, 'hex')).find((known) => keyIdOf(known) === keyId);
  if (!key) throw new Error(`This text was encrypted with another key (${keyId}).`);
  const bytes = Buffer.from(encrypted, 'base64url');
  const decipher = createDecipheriv(algorithm, key, Buffer.from(nonce, 'base64url'), { authTagLength: 16 });
  decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-16));
  return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString('utf8');
}
