// Many connections that watch slots, in a separate process, for bench/realtime.ts. This process uses bare sockets
// instead of a WebSocket library, so that ten thousand connections cost little.
import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';

/**
 * A command: to open connections, of which the n-th watches the slots in the n-th list; to record arrivals; or to close
 * all connections.
 */
export type WatcherCommand =
  | { open: number; port: number; slotIds: string[][] }
  | { arm: true }
  | { close: true };
/**
 * A response: the number of open connections, a confirmation, or when each connection received its first message after
 * `arm`, in ms since 1970.
 */
export type WatcherAnswer = { opened: number } | { armed: true } | { arrivals: number[] } | { closed: true };

const sockets: Socket[] = [];
let arrivals: Map<Socket, number> | null = null;
const nowMs = () => performance.timeOrigin + performance.now();
const answer = (message: WatcherAnswer) => process.send?.(message);

const pingByte = 0x89;
const pong = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);

/** A masked text frame with a mask of zeros, which leaves the text unchanged. */
function frameOf(value: unknown): Buffer {
  const text = Buffer.from(JSON.stringify(value));
  const head = text.length < 126 ? Buffer.from([0x81, 0x80 | text.length]) : Buffer.from([0x81, 0xfe, 0, 0]);
  if (text.length >= 126) head.writeUInt16BE(text.length, 2);
  return Buffer.concat([head, Buffer.alloc(4), text]);
}

function openOne(port: number, slotIds: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.on('error', reject);
    socket.on('connect', () => {
      socket.write(
        `GET /realtime/v1/websocket?apikey=bench&vsn=2.0.0 HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n` +
          `Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n` +
          `Sec-WebSocket-Key: ${Buffer.from(randomUUID().slice(0, 16)).toString('base64')}\r\n\r\n`,
      );
    });
    socket.once('data', () => {
      const payload = { type: 'broadcast', event: 'watch', payload: { slotIds } };
      socket.write(frameOf(['1', '1', 'realtime:places', 'phx_join', { config: {} }]));
      socket.write(frameOf(['1', '2', 'realtime:places', 'broadcast', payload]));
      const onData = (data: Buffer) => {
        text += data.toString('latin1');
        if (!text.includes('"slots":[')) return;
        text = '';
        socket.off('data', onData);
        socket.on('data', (data) => {
          // The server closes connections that do not answer its pings.
          if (data[0] === pingByte) return void socket.write(pong);
          if (!arrivals || arrivals.has(socket)) return;
          arrivals.set(socket, nowMs());
          if (arrivals.size === sockets.length) answer({ arrivals: [...arrivals.values()] });
        });
        sockets.push(socket);
        resolve();
      };
      socket.on('data', onData);
    });
  });
}

process.on('message', async (command: WatcherCommand) => {
  if ('open' in command) {
    for (let from = 0; from < command.open; from += 100) {
      const batch = Array.from({ length: Math.min(100, command.open - from) }, (_, n) =>
        openOne(command.port, command.slotIds[(from + n) % command.slotIds.length]!),
      );
      await Promise.all(batch);
    }
    answer({ opened: sockets.length });
  } else if ('arm' in command) {
    arrivals = new Map();
    answer({ armed: true });
  } else {
    for (const socket of sockets.splice(0)) socket.destroy();
    arrivals = null;
    answer({ closed: true });
  }
});
