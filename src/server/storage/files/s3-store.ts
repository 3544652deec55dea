import { PassThrough, pipeline, Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { bucketNames, uploadLimits } from '#domain/storage/buckets.ts';
import type { S3Settings } from '#server/platform/storage-settings.ts';
import type { FileStore } from './file-store.ts';

/** How long one call may take in milliseconds, including its second attempt and the bytes of its response. */
const callTimeoutMs = 8_000;
/** How many bytes of files may wait in memory for slow visitors. */
const maxAheadBytes = 64 * 1024 * 1024;

type WebStream = ReadableStream<Uint8Array>;

/** Stores files in a bucket of S3 or of an S3-compatible server. The library is loaded on first use. */
export function openS3Store(settings: S3Settings): FileStore {
  const { bucket: Bucket, region, endpoint, accessKeyId, secretAccessKey } = settings;
  let opening: Promise<{ s3: typeof import('@aws-sdk/client-s3'); client: S3Client }> | undefined;
  const open = () => {
    opening ??= import('@aws-sdk/client-s3').then((s3) => ({
      s3,
      client: new s3.S3Client({
        region,
        credentials: { accessKeyId, secretAccessKey },
        ...(endpoint && { endpoint, forcePathStyle: true }),
        maxAttempts: 2,
        requestHandler: { connectionTimeout: 2_000, requestTimeout: callTimeoutMs },
        // Some S3-compatible servers don't support the newer checksums.
        requestChecksumCalculation: 'WHEN_REQUIRED',
        responseChecksumValidation: 'WHEN_REQUIRED',
      }),
    }));
    return opening;
  };

  let aheadBytes = 0;
  /**
   * Reads a whole file from S3 immediately, however slowly its stream is read. Otherwise visitors with a weak signal
   * would occupy the connections to S3, and the time limit of the call would truncate their pictures. A file that would
   * exceed `maxAheadBytes` is streamed directly instead.
   */
  function readAhead(source: Readable, bytes: number): Readable {
    if (aheadBytes + bytes > maxAheadBytes) return source;
    aheadBytes += bytes;
    const ahead = new PassThrough({ writableHighWaterMark: uploadLimits.maxBytes });
    ahead.once('close', () => {
      aheadBytes -= bytes;
    });
    // The reader of the stream gets the error.
    pipeline(source, ahead, () => {});
    return ahead;
  }
  const limit = () => ({ abortSignal: AbortSignal.timeout(callTimeoutMs) });

  async function* listKeys(prefix: string) {
    const { s3, client } = await open();
    let token: string | undefined;
    do {
      const page = await client.send(
        new s3.ListObjectsV2Command({ Bucket, Prefix: prefix, ContinuationToken: token }),
        limit(),
      );
      for (const { Key, LastModified } of page.Contents ?? []) {
        if (Key) yield { key: Key, changedAt: LastModified?.getTime() ?? 0 };
      }
      token = page.IsTruncated ? page.NextContinuationToken : undefined;
    } while (token);
  }

  return {
    async put(key, bytes, contentType) {
      const { s3, client } = await open();
      const command = new s3.PutObjectCommand({ Bucket, Key: key, Body: bytes, ContentType: contentType });
      await client.send(command, limit());
    },
    async get(key) {
      const { s3, client } = await open();
      try {
        const found = await client.send(new s3.GetObjectCommand({ Bucket, Key: key }), limit());
        const bytes = found.ContentLength ?? 0;
        return { body: Readable.toWeb(readAhead(found.Body as Readable, bytes)) as WebStream, bytes };
      } catch (error) {
        if (error instanceof s3.NoSuchKey) return null;
        throw error;
      }
    },
    async removeContent(bucket, contentId) {
      const { s3, client } = await open();
      for await (const { key } of listKeys(`${bucket}/${contentId}/`)) {
        await client.send(new s3.DeleteObjectCommand({ Bucket, Key: key }), limit());
      }
    },
    async *listContents() {
      for (const bucket of bucketNames) {
        let last = '';
        for await (const { key, changedAt } of listKeys(`${bucket}/`)) {
          const [, contentId] = key.split('/');
          // Keys are listed in order, so the files of one content id are adjacent.
          if (!contentId || last === contentId) continue;
          last = contentId;
          yield { bucket, contentId, changedAt };
        }
      }
    },
  };
}
