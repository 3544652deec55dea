import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db/db.ts';
import type { Gauge } from '#server/platform/metrics.ts';
import { type ContentCipher, createContentCipher } from './content-cipher.ts';
import { createDecodeQueue, type DecodeQueue } from './decode-queue.ts';
import { openDiskStore } from './files/disk-store.ts';
import type { FileStore } from './files/file-store.ts';
import { openS3Store } from './files/s3-store.ts';
import { type AddressSigner, createAddressSigner } from './signed-address.ts';

/** One process's storage: the bytes, the queue for decoding, signed addresses, encryption and counts of uploads. */
export type Storage = {
  files: FileStore;
  queue: DecodeQueue;
  signer: AddressSigner;
  cipher: ContentCipher;
  uploads: { running: number; failed: number };
  readGauges: () => Gauge[];
};

export type StorageParts = Omit<Storage, 'readGauges'> & { db: Database };

/** Opens storage as configured. Reads nothing: a missing folder or an unresponsive S3 fails only calls that need it. */
export function openStorage(config: Pick<Config, 'storage' | 'dataKeys'>): Storage {
  const queue = createDecodeQueue();
  const uploads = { running: 0, failed: 0 };
  return {
    files:
      config.storage.kind === 'disk' ? openDiskStore(config.storage.folder) : openS3Store(config.storage),
    queue,
    signer: createAddressSigner(config),
    cipher: createContentCipher(config.dataKeys),
    uploads,
    readGauges: () => {
      const { running, waiting, refused } = queue.state();
      return [
        { name: 'app_picture_decodes_running', help: 'Pictures being decoded.', value: running },
        { name: 'app_picture_decodes_waiting', help: 'Pictures waiting to be decoded.', value: waiting },
        {
          name: 'app_picture_decodes_refused',
          help: 'Pictures refused since the start because too many were waiting or they waited too long.',
          value: refused,
        },
        {
          name: 'app_failed_uploads',
          help: 'Uploads since the start that could not be written to the disk or S3.',
          value: uploads.failed,
        },
      ];
    },
  };
}
