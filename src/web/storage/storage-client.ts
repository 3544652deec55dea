import { statusByCode } from '#domain/error-statuses.ts';
import { AppError, type ErrorCode } from '#domain/errors.ts';
import type { BucketName } from '#domain/storage/buckets.ts';
import type { UploadMetadata } from '#domain/storage/rules.ts';
import { unreachableMessage } from '#web/app/auth/auth-failure.ts';
import { readAccessToken } from '#web/app/auth/session.ts';

/** The storage client with the current access token; loaded on first use. */
async function openBucket(bucket: BucketName) {
  const [{ StorageClient }, token] = await Promise.all([import('@supabase/storage-js'), readAccessToken()]);
  const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
  return new StorageClient(`${location.origin}/storage/v1`, headers).from(bucket);
}

/** Uploads a file to this path, replacing any file there. Throws an {@link AppError} with a message to show. */
export async function uploadFile(
  bucket: BucketName,
  path: string,
  file: Blob,
  metadata: Partial<UploadMetadata> = {},
): Promise<void> {
  const { error } = await (await openBucket(bucket)).upload(path, file, { upsert: true, metadata });
  if (error) throw toAppError(error);
}

/** Removes a file; does nothing if the file no longer exists. Throws an {@link AppError} with a message to show. */
export async function removeFile(bucket: BucketName, path: string): Promise<void> {
  const { error } = await (await openBucket(bucket)).remove([path]);
  if (error) throw toAppError(error);
}

/** Keeps the server's message. Without a response, `message` is the browser's own and is replaced. */
function toAppError({ message, status }: { message: string; status?: number | undefined }): AppError {
  if (status === undefined) return new AppError('unavailable', unreachableMessage);
  const codes = Object.entries(statusByCode) as [ErrorCode, number][];
  const code = codes.find(([, known]) => known === status)?.[0] ?? 'internal';
  return new AppError(code, message);
}
