import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { type DataKeys, decryptText, encryptText } from './encryption.ts';

const newKey = () => randomBytes(32).toString('hex');
const key: DataKeys = [newKey()];

test('decrypts with the same key and owner, and never repeats a ciphertext', () => {
  const encrypted = encryptText(key, '66374958', 'account of one');
  expect(decryptText(key, encrypted, 'account of one')).toBe('66374958');
  expect(encrypted).not.toContain('66374958');
  expect(encryptText(key, '66374958', 'account of one')).not.toBe(encrypted);
});

test('refuses to decrypt altered text, or to decrypt with another owner or key', () => {
  const encrypted = encryptText(key, '66374958', 'account of one');
  expect(() => decryptText(key, encrypted, 'account of another')).toThrow();
  expect(() => decryptText([newKey()], encrypted, 'account of one')).toThrow(/another key/);
  const parts = encrypted.split('.');
  const bytes = Buffer.from(parts[3]!, 'base64url');
  for (let index = 0; index < bytes.length; index++) {
    const changed = Buffer.from(bytes);
    changed[index] = changed[index]! ^ 1;
    const altered = [...parts.slice(0, 3), changed.toString('base64url')].join('.');
    expect(() => decryptText(key, altered, 'account of one')).toThrow();
  }
  expect(() => decryptText(key, '66374958', 'account of one')).toThrow();
});
