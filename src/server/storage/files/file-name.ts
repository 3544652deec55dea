import { type BucketName, buckets } from '#domain/storage/buckets.ts';

export const webp = 'image/webp';
export const pdf = 'application/pdf';

/** The file name of a document, which is stored as it was uploaded. */
export const pdfName = 'original.pdf';

/** The file name of one size of a picture. */
export const fileNameOf = (size: number): string => `${size}.webp`;

/** The name of an object's largest file. */
export const largestFileOf = ({
  bucket,
  contentType,
}: {
  bucket: BucketName;
  contentType: string;
}): string => (contentType === pdf ? pdfName : fileNameOf(buckets[bucket].sizes[0]));
