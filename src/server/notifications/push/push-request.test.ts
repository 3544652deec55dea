import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { startPushService } from '#tools/push-service/push-service.ts';
import { isPublicAddress, postPush, refuseEndpoint } from './push-request.ts';

test('accepts only HTTPS URLs with a public host name as endpoints [NOTE-8g]', () => {
  for (const endpoint of [
    'https://fcm.googleapis.com/fcm/send/abc:def',
    'https://updates.push.services.mozilla.com/wpush/v2/abc',
    'https://web.push.apple.com/QGuQ',
    'https://wns2-db5p.notify.windows.com/w/?token=abc',
  ]) {
    expect(refuseEndpoint(endpoint), endpoint).toBeNull();
  }
  for (const endpoint of [
    ...['', 'push', 'javascript:alert(1)', 'file:///etc/passwd', 'http://fcm.googleapis.com/fcm/send/abc'],
    ...[
      'https://127.0.0.1/',
      'https://2130706433/',
      'https://0x7f.1/',
      'https://[::1]/',
      'https://[2606:4700::1]/',
    ],
    ...['https://localhost/', 'https://database/', 'https://db.internal/', 'https://nas.local./'],
    ...['https://user:secret@fcm.googleapis.com/', 'https://fcm.googleapis.com:8443/'],
  ]) {
    expect(refuseEndpoint(endpoint), endpoint).not.toBeNull();
  }
});

test('distinguishes public IP addresses from private and reserved ones [NOTE-8g]', () => {
  for (const address of ['142.250.187.202', '17.57.146.20', '2a00:1450:4009:81f::200a', '2606:4700::1111']) {
    expect(isPublicAddress(address), address).toBe(true);
  }
  for (const address of [
    ...['127.0.0.1', '10.1.2.3', '172.31.255.255', '192.168.0.1', '169.254.169.254', '100.64.0.1', '0.0.0.0'],
    ...['224.0.0.1', '255.255.255.255', '198.18.0.1', '192.0.2.7'],
    ...[
      '::',
      '::1',
      '::ffff:127.0.0.1',
      '::ffff:a9fe:a9fe',
      'fe80::1',
      'fd00::1',
      'ff02::1',
      '64:ff9b::7f00:1',
    ],
    ...['2001::1', '2001:db8::1', '2002:7f00:1::', 'nonsense'],
  ]) {
    expect(isPublicAddress(address), address).toBe(false);
  }
});

test('refuses to connect to a host name that resolves to a private IP address [NOTE-8g]', async () => {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const message = { endpoint: `https://localhost:${port}/`, headers: {}, body: Buffer.from('') };
  await expect(postPush(message, undefined)).rejects.toThrow('did not respond (NOT_PUBLIC)');
  await expect(postPush(message, 'http://127.0.0.1:1')).rejects.toThrow('did not respond (NOT_PUBLIC)');
  expect(connections).toBe(0);
  server.close();
});

test('gives up on a push service that hangs, and fails the next message immediately', async () => {
  const service = await startPushService();
  const { endpoint } = service.subscribe();
  const message = { endpoint, headers: {}, body: Buffer.from('x') };
  expect(await postPush(message, service.url)).toBe(400);
  await service.stop();
  await expect(postPush(message, service.url)).rejects.toThrow('did not respond (ECONN');

  const slow = await startPushService();
  slow.control.delayMs = 60_000;
  await expect(postPush(message, slow.url, 100)).rejects.toThrow('did not respond');
  slow.control.delayMs = 0;
  await expect(postPush(message, slow.url)).rejects.toThrow('has just timed out');
  await slow.stop();
});
