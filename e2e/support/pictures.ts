import sharp from 'sharp';

/**
 * The mean difference between the colours of two pictures, from 0 to 255, after resizing both to the size of the crop's
 * preview.
 */
export async function comparePictures(one: Buffer, other: Buffer): Promise<number> {
  const paint = (picture: Buffer) =>
    sharp(picture).resize(192, 192, { fit: 'fill' }).removeAlpha().raw().toBuffer();
  const [first, second] = [await paint(one), await paint(other)];
  const total = first.reduce((sum, value, index) => sum + Math.abs(value - second[index]!), 0);
  return total / first.length;
}

/** Creates a PNG of random colours, so that every part of it looks different. */
export const createRandomPicture = (width: number, height: number): Promise<Buffer> =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  })
    .blur(12)
    .normalise()
    .png()
    .toBuffer();
