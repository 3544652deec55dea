import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import sharp from 'sharp';
import { uploadLimits } from '#domain/storage/buckets.ts';
import { openPool } from '#server/platform/db/db.ts';
import { openBenchDatabase, openBenchServer, serveBenchProduct } from './bench-product.ts';
import { type Customer, createCustomers, createSlots, freeHours, requestOf, type Slot } from './booking.ts';
import { type LoadResult, median, summarise } from './load.ts';

/** Bookings per second: far fewer than the server can handle, but more than a busy club needs. */
const bookingsPerSecond = 25;
/** How many uploads each person makes: as many as the limit per hour allows. */
const uploadsPerPerson = uploadLimits.uploadsPerHour;
const consent = Buffer.from(JSON.stringify({ isConsentConfirmed: true })).toString('base64');

/** Makes a photo of 24 megapixels and at most 8 MB, the limit of an upload. */
async function makeLargePhoto(): Promise<Buffer> {
  const noise = await sharp({
    create: {
      width: 6_000,
      height: 4_000,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 14 },
    },
  })
    .png({ compressionLevel: 0 })
    .toBuffer();
  for (let quality = 92; quality > 20; quality -= 4) {
    const photo = await sharp(noise).jpeg({ quality }).toBuffer();
    if (photo.length <= uploadLimits.maxBytes) return photo;
  }
  throw new Error('no quality makes the photo small enough');
}

/** Sends bookings at a fixed rate, whether or not the previous ones have been answered. */
async function bookAtRate(port: number, customers: Customer[], slots: Slot[]): Promise<LoadResult> {
  const latencies: number[] = [];
  const statuses: Record<string, number> = {};
  const began = performance.now();
  await Promise.all(
    slots.map(async (slot, index) => {
      await new Promise((resolve) => setTimeout(resolve, (index / bookingsPerSecond) * 1000));
      const { path, ...request } = requestOf(customers[index % customers.length]!, slot);
      const sentAt = performance.now();
      const response = await fetch(`http://127.0.0.1:${port}${path}`, request);
      await response.arrayBuffer();
      latencies.push(performance.now() - sentAt);
      statuses[response.status] = (statuses[response.status] ?? 0) + 1;
    }),
  );
  return summarise(latencies, (performance.now() - began) / 1000, statuses);
}

/** Uploads pictures one after another until `isOver`; returns how many milliseconds each took. */
async function uploadUntil(
  port: number,
  uploaders: Customer[],
  photo: Buffer,
  isOver: () => boolean,
): Promise<number[]> {
  const times: number[] = [];
  while (!isOver()) {
    const { userId, token } = uploaders[Math.floor(times.length / uploadsPerPerson)]!;
    const sentAt = performance.now();
    const response = await fetch(`http://127.0.0.1:${port}/storage/v1/object/gallery/${userId}/picture`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'x-upsert': 'true',
        'x-metadata': consent,
        'content-type': 'image/jpeg',
      },
      body: new Uint8Array(photo),
    });
    if (!response.ok) throw new Error(`upload refused: ${response.status} ${await response.text()}`);
    times.push(performance.now() - sentAt);
  }
  return times;
}

/**
 * Measures bookings at a fixed rate without and with uploads of 8 MB, alternating, and how long an upload takes. The
 * server, its database and the load share this machine.
 */
export async function benchStorage({ seconds, rounds }: { seconds: number; rounds: number }): Promise<void> {
  const server = await openBenchServer();
  const { url } = await openBenchDatabase(server.url, 'app_bench_storage', { isFresh: true });
  const db: pg.Pool = openPool(url, { size: 4 });
  const product = await serveBenchProduct(url);
  const customers = await createCustomers(db, product, 400);
  await db.query("update profiles set roles = '{customer,coach}'");
  const photo = await makeLargePhoto();
  console.log(
    `picture: ${(photo.length / 1024 / 1024).toFixed(1)} MB, 24 megapixels; run ${randomUUID().slice(0, 8)}`,
  );
  const pairs: [LoadResult, LoadResult][] = [];
  const uploads: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const count = seconds * bookingsPerSecond;
    await freeHours(db);
    const alone = await bookAtRate(product.port, customers, await createSlots(db, count, 20));
    await freeHours(db);
    let isOver = false;
    const uploading = uploadUntil(product.port, customers.slice(round * 20), photo, () => isOver);
    const beside = await bookAtRate(product.port, customers, await createSlots(db, count, 20));
    isOver = true;
    uploads.push(...(await uploading));
    pairs.push([alone, beside]);
    if (alone.statuses['200'] !== count || beside.statuses['200'] !== count)
      console.log('responses', alone.statuses, beside.statuses);
  }
  const of = (pick: (result: LoadResult) => number, at: 0 | 1) => median(pairs.map((pair) => pick(pair[at])));
  console.log('bookings | per second | p50 ms | p99 ms');
  for (const [name, at] of [
    ['alone', 0],
    ['with uploads', 1],
  ] as const) {
    console.log(
      [
        name,
        of(({ perSecond }) => perSecond, at).toFixed(1),
        of(({ p50 }) => p50, at).toFixed(1),
        of(({ p99 }) => p99, at).toFixed(1),
      ].join(' | '),
    );
  }
  const ratio = median(pairs.map(([alone, beside]) => beside.perSecond / alone.perSecond));
  console.log(
    `uploads: ${uploads.length}, median ${Math.round(median(uploads))} ms, longest ${Math.round(Math.max(...uploads))} ms; booking rate with ÷ without ${ratio.toFixed(3)}`,
  );
  await product.stop();
  await db.end();
  await server.stop();
}
