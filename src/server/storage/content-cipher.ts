import { randomBytes } from 'node:crypto';
import type { EncryptedTable } from '#server/platform/db/re-encrypt.ts';
import {
  type DataKeys,
  decryptBytes,
  decryptText,
  encryptBytes,
  encryptText,
} from '#server/platform/encryption.ts';
import type { StoredObject } from './queries.ts';

/** Encrypts and decrypts the bytes of private files. */
export type ContentCipher = ReturnType<typeof createContentCipher>;

const contextOf = (contentId: string) => `storage_objects.key:${contentId}`;

/**
 * The column with the keys of private files, for key rotation. `DATA_KEY` encrypts the keys, so rotation leaves the
 * files as they are.
 */
export const encryptedFileKeys: EncryptedTable = {
  table: 'storage_objects',
  key: ['object_id'],
  contexts: { key_encrypted: ({ contentId }) => contextOf(contentId!) },
};

/** Encrypts each stored content with a separate key, which is stored encrypted in the content's row. */
export function createContentCipher(dataKeys: DataKeys) {
  return {
    /**
     * Creates a key for a content. Returns the encrypted key for the database, and a function that encrypts the
     * content's files.
     */
    create(contentId: string) {
      const key = randomBytes(32);
      return {
        keyEncrypted: encryptText(dataKeys, key.toString('base64url'), contextOf(contentId)),
        encrypt: (bytes: Uint8Array): Uint8Array => encryptBytes(key, bytes),
      };
    },
    /**
     * Throws for altered bytes or an unknown key. Bytes without a key are returned as they are: public files, and
     * private files stored before encryption was added.
     */
    decrypt(
      { contentId, keyEncrypted }: Pick<StoredObject, 'contentId' | 'keyEncrypted'>,
      bytes: Buffer,
    ): Buffer {
      if (keyEncrypted === null) return bytes;
      return decryptBytes(
        Buffer.from(decryptText(dataKeys, keyEncrypted, contextOf(contentId)), 'base64url'),
        bytes,
      );
    },
  };
}
