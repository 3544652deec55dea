import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '#server/platform/log.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import { beforeTests, eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { realtimeLimits } from './limits.ts';
import { openRaw } from './live-client.test-support.ts';
import { openRealtime } from './realtime.ts';

const count = 1_000;
const perMeasurement = 9;
/** Readers soon count as slow, but are not disconnected during the test. */
const limits = { ...realtimeLimits, framesPerWindow: 100_000, unsentBytes: 16 * 1024, slowMs: 600_000 };

const app = setUpTestApp({ env: { TRUST_PROXY: '1' } });
const club = beforeTests(() => openClub(app));

/**
 * Serves live updates, in this process as the app itself does, at a Unix socket: its buffers are full after 200 kB, those
 * of a TCP connection to this machine after 4 MB.
 */
async function serveAtSocket() {
  const folder = await mkdtemp(join(tmpdir(), 'readers-'));
  const path = join(folder, 'live.sock');
  const realtime = openRealtime({ config: app.config, db: app.db, log: createLog('silent'), limits });
  const server = createServer();
  realtime.attach(server);
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(async () => {
    await realtime.stop({ drainMs: 0 });
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true });
  });
  const countSlow = () =>
    realtime.readGauges().find(({ name }) => name === 'app_realtime_slow_connections')!.value;
  return { url: `http+unix:${path}:`, countSlow };
}

/** The median time of bookings one after the other, in milliseconds. */
async function timeBookings(slotIds: string[]): Promise<number> {
  const times: number[] = [];
  for (const slotId of slotIds) {
    const customer = await club.join(null);
    const began = performance.now();
    const { body } = await club.book(customer, slotId, 0);
    times.push(performance.now() - began);
    expect(body.outcome).toBe('booked');
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)]!;
}

test('books beside 1,000 readers with unsent messages as fast as without [RT-11c]', async () => {
  const slotIds: string[] = [];
  for (let n = 0; n < 100; n += 1) slotIds.push(await club.publish({ seats: 20, priceCents: 0 }));
  const [warming, before, beside, after] = [0, 1, 2, 3].map((part) =>
    slotIds.slice(part * perMeasurement, (part + 1) * perMeasurement),
  );
  await timeBookings(warming!);
  const alone = [await timeBookings(before!)];
  const { url, countSlow } = await serveAtSocket();
  const readers: Awaited<ReturnType<typeof openRaw>>[] = [];
  while (readers.length < count) {
    // As behind a proxy on this machine, whose visitors share no limit per IP address.
    const headers = { 'x-forwarded-for': '127.0.0.1' };
    readers.push(...(await Promise.all(Array.from({ length: 50 }, () => openRaw(url, { headers })))));
  }
  for (const reader of readers) reader.join('realtime:places');
  for (const reader of readers) {
    expect((await reader.reply('1')).status).toBe('ok');
    reader.socket.pause();
  }
  const payload = { type: 'broadcast', event: 'watch', payload: { slotIds } };
  const watch = JSON.stringify(['1', '2', 'realtime:places', 'broadcast', payload]);
  await eventually(async () => {
    // The state of 100 lessons is sent for each of these.
    for (const reader of readers) reader.send(watch);
    return countSlow() === count;
  }, 150_000);
  const besideReaders = await timeBookings(beside!);
  expect(countSlow(), 'nobody has caught up or left').toBe(count);
  for (const reader of readers) reader.close();
  await eventually(async () => countSlow() === 0);
  alone.push(await timeBookings(after!));
  // Generous, because other tests run at the same time; waiting for the readers would take far longer.
  expect(besideReaders).toBeLessThan(4 * Math.max(...alone));
}, 240_000);
