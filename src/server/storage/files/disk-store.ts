import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { bucketNames } from '#domain/storage/buckets.ts';
import { createDiskQueue, type DiskQueue } from './disk-queue.ts';
import type { FileStore } from './file-store.ts';

/** How long writing one file may take, in milliseconds. */
const writeTimeoutMs = 20_000;
/** How many bytes of a file are read at a time. */
const chunkBytes = 64 * 1024;

/** Returns a handler that turns errors with these codes into a value and rethrows others. */
const onError =
  <T>(codes: string[], value: T) =>
  (error: unknown): T => {
    if (codes.includes((error as NodeJS.ErrnoException).code ?? '')) return value;
    throw error;
  };
const nullIfMissing = onError(['ENOENT'], null);
const emptyIfMissing = onError<string[]>(['ENOENT', 'ENOTDIR'], []);

const close = (handle: FileHandle) => handle.close().catch(() => {});

/**
 * Stores files in a folder. A file appears complete or not at all: it is written under another name, flushed and
 * renamed. Processes on several machines need the folder on a shared volume.
 */
export function openDiskStore(folder: string, run: DiskQueue = createDiskQueue()): FileStore {
  const list = (path: string) => run(() => readdir(path)).catch(emptyIfMissing);
  return {
    put: (key, bytes) => run(() => write(join(folder, key), bytes), { timeoutMs: writeTimeoutMs }),
    async get(key) {
      const handle = await run(() => open(join(folder, key)), { onLate: close }).catch(nullIfMissing);
      if (!handle) return null;
      try {
        const { size } = await run(() => handle.stat());
        return { body: streamOf(handle, run), bytes: size };
      } catch (error) {
        void close(handle);
        throw error;
      }
    },
    removeContent: (bucket, contentId) =>
      run(() => rm(join(folder, bucket, contentId), { recursive: true, force: true })),
    async *listContents() {
      for (const bucket of bucketNames) {
        for (const contentId of await list(join(folder, bucket))) {
          const facts = await run(() => stat(join(folder, bucket, contentId))).catch(nullIfMissing);
          if (facts?.isDirectory()) yield { bucket, contentId, changedAt: facts.mtimeMs };
        }
      }
    },
  };
}

async function write(target: string, bytes: Uint8Array): Promise<void> {
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
}

/** Streams a file. The handle is closed at the end, after a failure and if the stream is cancelled. */
function streamOf(handle: FileHandle, run: DiskQueue): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { bytesRead, buffer } = await run(() => handle.read(new Uint8Array(chunkBytes)));
          if (bytesRead > 0) return controller.enqueue(buffer.subarray(0, bytesRead));
          controller.close();
        } catch (error) {
          controller.error(error);
        }
        void close(handle);
      },
      cancel: () => void close(handle),
    },
    // Nothing is read before the reader requests it.
    { highWaterMark: 0 },
  );
}
