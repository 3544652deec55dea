import type { Refusal } from '../errors.ts';
import { type BucketName, buckets, consentSentence, maxAltLength, uploadLimits } from './buckets.ts';

/** True for the name of a bucket. */
export const isBucket = (name: string): name is BucketName => Object.hasOwn(buckets, name);

const segment = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const maxSegments = 5;

/** Splits a decoded object path into its segments; null if no object can have this path. */
export function readObjectPath(path: string): string[] | null {
  const segments = path.split('/');
  const isValid =
    segments.length >= 2 &&
    segments.length <= maxSegments &&
    segments.every((part) => segment.test(part) && !part.includes('..'));
  return isValid ? segments : null;
}

/** The storage that a person uses, apart from an object being replaced: objects in one bucket, bytes in all buckets. */
export type Kept = { objects: number; bytes: number };

/**
 * Refuses an upload that needs `bytes` in storage if the person already has as many objects as the bucket
 * allows, or would exceed 50 MB; null otherwise.
 */
export function refuseFullBucket(bucket: BucketName, kept: Kept, bytes: number): Refusal {
  const { maxObjects, noun } = buckets[bucket];
  if (kept.objects >= maxObjects) {
    const message =
      maxObjects === 1
        ? `You already have a ${noun}. Replace it, or remove it before you add another.`
        : `You can keep ${maxObjects} ${noun}s. Remove one first.`;
    return { code: 'unprocessable', message };
  }
  if (kept.bytes + bytes > uploadLimits.maxTotalBytes) {
    return {
      code: 'unprocessable',
      message: "This file doesn't fit into the 50 MB that you can store. Remove another file first.",
    };
  }
  return null;
}

/** The details that a person gives about an uploaded file. */
export type UploadMetadata = { alt: string; isConsentConfirmed: boolean };

/** Reads the client's metadata from any JSON value. Missing or invalid fields get their defaults. */
export function readUploadMetadata(given: unknown): UploadMetadata {
  const fields = typeof given === 'object' && given !== null ? (given as Record<string, unknown>) : {};
  return {
    alt: typeof fields.alt === 'string' ? fields.alt.trim() : '',
    isConsentConfirmed: fields.isConsentConfirmed === true,
  };
}

export function refuseMetadata(bucket: BucketName, { alt, isConsentConfirmed }: UploadMetadata): Refusal {
  if (alt.length > maxAltLength) {
    const message = `The description can't be longer than ${maxAltLength} characters.`;
    return { code: 'unprocessable', message, fields: { alt: message } };
  }
  if (/\0|\p{Cs}/u.test(alt)) {
    const message = "The description contains characters we can't save. Please type it again.";
    return { code: 'unprocessable', message, fields: { alt: message } };
  }
  if (bucket === 'gallery' && !isConsentConfirmed) {
    const message = `Please confirm: “${consentSentence}”.`;
    return { code: 'unprocessable', message, fields: { isConsentConfirmed: message } };
  }
  return null;
}
