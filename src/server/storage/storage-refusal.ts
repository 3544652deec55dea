import { statusByCode } from '#domain/error-statuses.ts';
import { AppError, type ErrorCode } from '#domain/errors.ts';
import { readDatabaseFailure } from '#server/platform/db/database-failure.ts';

/** The names of errors in Supabase Storage's API, for the codes that clients distinguish. */
export const errorNames: Partial<Record<ErrorCode, string>> = {
  bad_request: 'InvalidRequest',
  conflict: 'Duplicate',
  forbidden: 'Unauthorized',
  not_found: 'not_found',
  payload_too_large: 'Payload too large',
  unauthenticated: 'Unauthorized',
  unsupported_media_type: 'invalid_mime_type',
};

/** The body of an error as Supabase Storage writes it; `statusCode` is text there. */
export type StorageErrorBody = {
  statusCode: string;
  error: string;
  message: string;
  fields?: AppError['fields'];
};

/** The refusal that an error means for the caller, including known database failures; null for any other error. */
export function readStorageRefusal(error: unknown): AppError | null {
  return error instanceof AppError ? error : readDatabaseFailure(error);
}

export const toStorageError = (refusal: AppError): StorageErrorBody => ({
  statusCode: String(statusByCode[refusal.code]),
  error: errorNames[refusal.code] ?? refusal.code,
  message: refusal.message,
  ...(refusal.fields && { fields: refusal.fields }),
});
