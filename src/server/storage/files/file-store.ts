/** A file's content, and its size in bytes. Read the stream to its end, or cancel it. */
export type StoredFile = { body: ReadableStream<Uint8Array>; bytes: number };

/**
 * Stores the bytes of objects on a disk or in S3. A key is `{bucket}/{content id}/{file}`, made by the server, never by
 * a client. Each request to S3 fails after 8 s, including the bytes of its response. Each operation on a disk fails
 * after 8 s, and writing a file to a disk after 20 s.
 */
export type FileStore = {
  put: (key: string, bytes: Uint8Array, contentType: string) => Promise<void>;
  /** Null if there is no such file. */
  get: (key: string) => Promise<StoredFile | null>;
  /** Deletes every file of a content id; succeeds if there is none. */
  removeContent: (bucket: string, contentId: string) => Promise<void>;
  /**
   * Every folder in every bucket, in no particular order, including any that the server didn't create. `changedAt` is
   * in milliseconds since 1970.
   */
  listContents: () => AsyncIterable<{ bucket: string; contentId: string; changedAt: number }>;
};
