import { randomBytes } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { startS3Server } from '#tools/s3-server.ts';
import { openS3Store } from './s3-store.ts';

test('serves more slow readers than there are connections to S3', async () => {
  const { env, stop } = await startS3Server();
  onTestFinished(stop);
  const files = openS3Store({
    ...{ bucket: env.S3_BUCKET, region: env.S3_REGION, endpoint: env.S3_ENDPOINT },
    ...{ accessKeyId: env.S3_ACCESS_KEY_ID, secretAccessKey: env.S3_SECRET_ACCESS_KEY },
  });
  const bytes = randomBytes(300_000);
  await files.put('gallery/a/1600.webp', bytes, 'image/webp');
  // No file is read before all are open.
  const opened = await Promise.all(Array.from({ length: 60 }, () => files.get('gallery/a/1600.webp')));
  for (const file of opened) {
    expect(Buffer.compare(Buffer.from(await new Response(file!.body).arrayBuffer()), bytes)).toBe(0);
  }
});
