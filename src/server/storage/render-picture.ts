import type { Sharp } from 'sharp';
import { AppError } from '#domain/errors.ts';
import { uploadLimits } from '#domain/storage/buckets.ts';

/** The stored sizes of a picture, as WebP. `width` and `height` are the dimensions of the largest size. */
export type RenderedPicture = {
  files: { size: number; bytes: Buffer }[];
  width: number;
  height: number;
};

let loading: Promise<typeof import('sharp').default> | undefined;

/** The image library, loaded on first use because loading it would slow down the start. */
const loadSharp = () => {
  loading ??= import('sharp').then(({ default: sharp }) => {
    // One thread per picture and no cache in memory, because requests and bookings share this machine.
    sharp.concurrency(1);
    sharp.cache(false);
    return sharp;
  });
  return loading;
};

/** The longest time for decoding a picture, and for encoding each of its sizes, in seconds. */
const timeoutSeconds = 10;

/**
 * Decodes a picture once, turns it upright by its EXIF orientation, converts it to sRGB by its colour profile, and
 * encodes every size. Nothing else of the original survives: no EXIF, GPS, XMP, profile or thumbnail. Throws
 * `unprocessable` for a picture that is damaged or takes too long.
 */
export async function renderPicture(
  original: Buffer,
  { sizes, fit }: { sizes: readonly number[]; fit: 'cover' | 'inside' },
): Promise<RenderedPicture> {
  const sharp = await loadSharp();
  const resized = (picture: Sharp, size: number) =>
    picture.resize({ width: size, height: size, fit, withoutEnlargement: fit === 'inside' });
  try {
    const decoded = sharp(original, { limitInputPixels: uploadLimits.maxPixels, failOn: 'error' });
    const { data, info } = await resized(decoded.autoOrient(), sizes[0]!)
      .toColourspace('srgb')
      .timeout({ seconds: timeoutSeconds })
      .raw()
      .toBuffer({ resolveWithObject: true });
    const { width, height, channels } = info;
    const files: RenderedPicture['files'] = [];
    for (const size of sizes) {
      const picture = sharp(data, { raw: { width, height, channels } });
      const bytes = await resized(picture, size)
        .webp({ quality: 80, effort: 3 })
        .timeout({ seconds: timeoutSeconds })
        .toBuffer();
      files.push({ size, bytes });
    }
    return { files, width, height };
  } catch (error) {
    const message = "We couldn't read this picture. It may be damaged. Please choose another picture.";
    throw new AppError('unprocessable', message, { cause: error });
  }
}
