import sharp from 'sharp';

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
