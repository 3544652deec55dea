import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { SlotAvailability } from '#domain/catalogue/slots-contract.ts';
import { createLog } from '#server/platform/log.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import { beforeTests, eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { realtimeLimits } from './limits.ts';
import { openRaw } from './live-client.test-support.ts';
import { openRealtime } from './realtime.ts';

const count = 1_000;
/** Readers soon count as slow. During the test they are neither pinged nor disconnected. */
const limits = {
  ...realtimeLimits,
  ...{ framesPerWindow: 100_000, unsentBytes: 16 * 1024, slowMs: 600_000, inactiveMs: 600_000 },
};

const app = setUpTestApp({ env: { TRUST_PROXY: '1' } });
const club = beforeTests(() => openClub(app));

/**
 * Serves live updates in this process, as the app does, but at a Unix socket, whose buffers are full after 200 kB. The
 * buffers of a TCP connection to this machine would be full only after 4 MB.
 */
async function serveAtSocket() {
  const folder = await mkdtemp(join(tmpdir(), 'readers-'));
  const path = join(folder, 'live.sock');
  const realtime = openRealtime({ config: app.config, db: app.db, log: createLog('silent'), limits });
  const server = createServer();
  realtime.attach(server);
  const sockets: Socket[] = [];
  server.on('connection', (socket) => sockets.push(socket));
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(async () => {
    await realtime.stop({ drainMs: 0 });
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true });
  });
  return {
    url: `http+unix:${path}:`,
    countSlow: () =>
      realtime.readGauges().find(({ name }) => name === 'app_realtime_slow_connections')!.value,
    /** The bytes that the server has written, or tried to write, to the first {@link count} connections. */
    countWritten: () => sockets.slice(0, count).reduce((total, { bytesWritten }) => total + bytesWritten, 0),
  };
}

/** Headers as a proxy on this machine sends them. Loopback addresses are exempt from limits per IP address. */
const headers = { 'x-forwarded-for': '127.0.0.1' };

test('takes bookings and updates other pages while 1,000 readers have unsent messages [RT-11c]', async () => {
  const slotIds: string[] = [];
  for (let n = 0; n < 100; n += 1) slotIds.push(await club.publish({ seats: 20, priceCents: 0 }));
  const { url, countSlow, countWritten } = await serveAtSocket();
  const readers: Awaited<ReturnType<typeof openRaw>>[] = [];
  while (readers.length < count) {
    readers.push(...(await Promise.all(Array.from({ length: 50 }, () => openRaw(url, { headers })))));
  }
  onTestFinished(() => {
    for (const reader of readers) reader.close();
  });
  for (const reader of readers) reader.join('realtime:places');
  for (const reader of readers) {
    expect((await reader.reply('1')).status).toBe('ok');
    reader.socket.pause();
  }
  const payload = { type: 'broadcast', event: 'watch', payload: { slotIds } };
  const watch = JSON.stringify(['1', '2', 'realtime:places', 'broadcast', payload]);
  await eventually(async () => {
    // The state of 100 lessons is sent for each of these messages.
    for (const reader of readers) reader.send(watch);
    return countSlow() === count;
  }, 150_000);
  const written = countWritten();

  const other = await openRaw(url, { headers });
  other.join('realtime:places');
  other.send(watch);
  expect((await other.reply('2')).status).toBe('ok');
  for (const slotId of slotIds.slice(0, 5)) {
    const { body } = await club.book(await club.join(null), slotId, 0);
    expect(body.outcome).toBe('booked');
    await eventually(async () =>
      other.received.some((frame) => {
        const { slots } = (frame[4] as { payload: { slots?: SlotAvailability[] } }).payload ?? {};
        return slots?.some((slot) => slot.slotId === slotId && slot.bookedCount === 1);
      }),
    );
  }
  other.close();
  expect([countSlow(), countWritten()], 'nobody has caught up, left or been sent anything').toEqual([
    count,
    written,
  ]);
}, 240_000);
