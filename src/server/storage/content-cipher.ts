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

/** The keys of files in private buckets, which `DATA_KEY` encrypts. A new `DATA_KEY` leaves the files as they are. */
export const encryptedFileKeys: EncryptedTable = {
  table: 'storage_objects',
  key: ['object_id'],
  contexts: { key_encrypted: ({ contentId }) => contextOf(contentId!) },
};

/** Encrypts each stored content with a key of its own, so that only the content's row can decrypt it. */
export function createContentCipher(dataKeys: DataKeys) {
  return {
    /**
     * Creates a key for a content: its form in the database, and a function that encrypts each of the content's files
     * with it.
     */
    create(contentId: string) {
      const key = randomBytes(32);
      return {
        keyEncrypted: encryptText(dataKeys, key.toString('base64url'), contextOf(contentId)),
        encrypt: (bytes: Uint8Array): Uint8Array => encryptBytes(key, bytes),
      };
    },
    /** Throws for altered bytes or an unknown key. Bytes stored before private files were encrypted are returned as they are. */
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
