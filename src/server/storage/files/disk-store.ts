import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import type { FileStore } from './file-store.ts';

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

/**
 * Stores files in a folder. A file appears complete or not at all: it is written under another name, flushed and
 * renamed. Processes on several machines need the folder on a shared volume.
 */
export function openDiskStore(folder: string): FileStore {
  const list = async (path: string) => {
    const entries = await readdir(path).catch((error: unknown) => {
      if (isMissing(error) || (error as NodeJS.ErrnoException).code === 'ENOTDIR') return [];
      throw error;
    });
    return entries;
  };
  return {
    async put(key, bytes) {
      const target = join(folder, key);
      const draft = `${target}.${randomUUID()}.part`;
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      try {
        const handle = await open(draft, 'wx', 0o600);
        try {
          await handle.writeFile(bytes);
          await handle.sync();
        } finally {
          await handle.close();
        }
        await rename(draft, target);
      } catch (error) {
        await rm(draft, { force: true }).catch(() => {});
        throw error;
      }
    },
    async get(key) {
      try {
        const handle = await open(join(folder, key));
        const { size } = await handle.stat();
        const body = Readable.toWeb(handle.createReadStream()) as ReadableStream<Uint8Array>;
        return { body, bytes: size };
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    removeContent: (bucket, contentId) =>
      rm(join(folder, bucket, contentId), { recursive: true, force: true }),
    async *listContents() {
      for (const bucket of await list(folder)) {
        for (const contentId of await list(join(folder, bucket))) {
          const facts = await stat(join(folder, bucket, contentId)).catch(() => null);
          if (facts?.isDirectory()) yield { bucket, contentId, changedAt: facts.mtimeMs };
        }
      }
    },
  };
}
