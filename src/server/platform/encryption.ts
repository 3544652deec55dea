import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';

const keyIdOf = (key: Buffer) => createHash('sha256').update(key).digest('hex').slice(0, 8);

/**
 * Encrypts a short text with AES-256-GCM under `dataKey` (32 bytes as hexadecimal) and a fresh nonce. `context`
 * says what the text is and whose; opening needs the very same one. Answers "v1.keyId.nonce.sealed" (base64url);
 * the key id tells texts of an earlier key apart.
 */
export function sealText(dataKey: string, text: string, context: string): string {
  const key = Buffer.from(dataKey, 'hex');
  const nonce = randomBytes(12);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(context));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return ['v1', keyIdOf(key), nonce.toString('base64url'), sealed.toString('base64url')].join('.');
}

/** Opens what {@link sealText} sealed. Throws for another key, another context and anything tampered with. */
export function openText(dataKey: string, sealedText: string, context: string): string {
  const key = Buffer.from(dataKey, 'hex');
  const [version, keyId, nonce, sealed] = sealedText.split('.');
  if (version !== 'v1' || !nonce || !sealed) throw new Error('This is not a sealed text.');
  if (keyId !== keyIdOf(key)) throw new Error(`This text was sealed with another key (${keyId}).`);
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv(algorithm, key, Buffer.from(nonce, 'base64url'), { authTagLength: 16 });
  decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-16));
  return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString('utf8');
}
