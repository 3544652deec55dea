import { createDecipheriv, type ECDH, hkdfSync } from 'node:crypto';

const keyLabel = Buffer.from('WebPush: info\0');
const contentLabel = Buffer.from('Content-Encoding: aes128gcm\0');
const nonceLabel = Buffer.from('Content-Encoding: nonce\0');
const tagLength = 16;

/**
 * Decrypts the body of a push message as a browser does (RFC 8291, with the record of RFC 8188). Throws if it was
 * encrypted for another browser, was altered or has more than one record.
 */
export function decryptPush(body: Buffer, { keys, auth }: { keys: ECDH; auth: Buffer }): string {
  const salt = body.subarray(0, 16);
  const recordSize = body.readUInt32BE(16);
  const senderKey = body.subarray(21, 21 + body.readUInt8(20));
  const record = body.subarray(21 + senderKey.length);
  if (record.length > recordSize) throw new Error('A push message has only one record.');
  const derive = (secret: Buffer, from: Buffer, label: Buffer, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, from, label, length));
  const info = Buffer.concat([keyLabel, keys.getPublicKey(), senderKey]);
  const material = derive(keys.computeSecret(senderKey), auth, info, 32);
  const decipher = createDecipheriv(
    'aes-128-gcm',
    derive(material, salt, contentLabel, 16),
    derive(material, salt, nonceLabel, 12),
    { authTagLength: tagLength },
  );
  decipher.setAuthTag(record.subarray(-tagLength));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -tagLength)), decipher.final()]);
  // The last record ends with a 2, then zeros.
  const end = padded.findLastIndex((byte) => byte !== 0);
  if (padded[end] !== 2) throw new Error('The padding of the push message is wrong.');
  return padded.subarray(0, end).toString('utf8');
}
