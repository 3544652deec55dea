import { join, resolve } from 'node:path';

/** `endpoint` is undefined for Amazon's own S3. */
export type S3Settings = {
  bucket: string;
  region: string;
  endpoint: string | undefined;
  accessKeyId: string;
  secretAccessKey: string;
};

/** Where pictures and documents are stored: a folder or an S3 bucket. */
export type StorageSettings = { kind: 'disk'; folder: string } | ({ kind: 's3' } & S3Settings);

type Variable =
  | 'DATA_DIR'
  | 'STORAGE_DIR'
  | 'S3_BUCKET'
  | 'S3_REGION'
  | 'S3_ENDPOINT'
  | 'S3_ACCESS_KEY_ID'
  | 'S3_SECRET_ACCESS_KEY';

/** The storage settings, from variables that `readConfig` has checked: a bucket has both of its keys. */
export function readStorageSettings(env: { [Name in Variable]?: string | undefined }): StorageSettings {
  if (!env.S3_BUCKET) {
    return {
      kind: 'disk',
      folder: resolve(env.STORAGE_DIR ?? join(env.DATA_DIR?.trim() || 'data', 'files')),
    };
  }
  return {
    kind: 's3',
    bucket: env.S3_BUCKET,
    region: env.S3_REGION ?? 'us-east-1',
    endpoint: env.S3_ENDPOINT,
    accessKeyId: env.S3_ACCESS_KEY_ID!,
    secretAccessKey: env.S3_SECRET_ACCESS_KEY!,
  };
}
