import { AppError } from '#domain/errors.ts';

/** A square part of a picture: `zoom` from 1, and its position from 0 (left, top) to 1 (right, bottom). */
export type Crop = { zoom: number; x: number; y: number };

export const wholeCrop: Crop = { zoom: 1, x: 0.5, y: 0.5 };

/** Decodes a chosen file, upright. Throws an {@link AppError} for a file that this browser cannot show. */
export async function decodePicture(file: Blob): Promise<ImageBitmap> {
  try {
    return await createImageBitmap(file, { imageOrientation: 'from-image' });
  } catch {
    throw new AppError(
      'unprocessable',
      "We can't read this picture. Please choose a JPEG, PNG or WebP picture.",
    );
  }
}

/** Paints the cropped part over the whole canvas. */
export function paintCrop(canvas: HTMLCanvasElement, picture: ImageBitmap, { zoom, x, y }: Crop): void {
  const side = Math.min(picture.width, picture.height) / zoom;
  const context = canvas.getContext('2d');
  if (!context) return;
  // JPEG has no transparency: without this, transparent parts would turn black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(
    picture,
    x * (picture.width - side),
    y * (picture.height - side),
    side,
    side,
    0,
    0,
    canvas.width,
    canvas.height,
  );
}

/** The cropped part as a JPEG of at most 1024 × 1024 pixels. Rejects with an {@link AppError} if encoding fails. */
export function cropPicture(picture: ImageBitmap, crop: Crop): Promise<Blob> {
  const side = Math.min(1024, Math.round(Math.min(picture.width, picture.height) / crop.zoom));
  return encode(side, side, (canvas) => paintCrop(canvas, picture, crop));
}

/**
 * The whole picture as a JPEG with at most `longest` pixels on its longer side, for uploads on a weak signal. Rejects
 * with an {@link AppError} if encoding fails.
 */
export function shrinkPicture(picture: ImageBitmap, longest: number): Promise<Blob> {
  const scale = Math.min(1, longest / Math.max(picture.width, picture.height));
  const [width, height] = [Math.round(picture.width * scale), Math.round(picture.height * scale)];
  return encode(width, height, (canvas) => paintWhole(canvas, picture));
}

/** Paints the whole picture over the whole canvas, which has the same proportions. */
export function paintWhole(canvas: HTMLCanvasElement, picture: ImageBitmap): void {
  const context = canvas.getContext('2d');
  if (!context) return;
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
}

function encode(width: number, height: number, paint: (canvas: HTMLCanvasElement) => void): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, width);
  canvas.height = Math.max(1, height);
  paint(canvas);
  return new Promise((resolve, reject) => {
    const fail = () =>
      reject(new AppError('internal', "We couldn't prepare this picture. Please try another one."));
    canvas.toBlob((blob) => (blob ? resolve(blob) : fail()), 'image/jpeg', 0.9);
  });
}
