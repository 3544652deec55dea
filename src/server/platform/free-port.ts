import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Finds a free port on 127.0.0.1 below the range that systems use for outgoing connections. Any outgoing connection
 * could take a port in that range before our server does. Throws after 100 attempts.
 */
export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = randomInt(20_000, 32_000);
    if (await isFree(port)) return port;
  }
  throw new Error('Found no free port between 20000 and 32000 in 100 attempts.');
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
