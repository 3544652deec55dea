import net from 'node:net';

/** A TCP proxy that forwards bytes to and from a server unchanged. */
export type PlainWire = Awaited<ReturnType<typeof openPlainWire>>;

/**
 * Opens a proxy to the port that `targetPort` returns for each new connection, because a server may listen on another
 * port after a restart.
 */
export async function openPlainWire(targetPort: () => number) {
  const open = new Set<net.Socket>();
  let isSilent = false;
  let isRefusing = false;

  const server = net.createServer((client) => {
    if (isRefusing) return client.resetAndDestroy();
    const target = net.connect(targetPort(), '127.0.0.1');
    const pair = [client, target];
    const end = () => {
      for (const socket of pair) {
        socket.destroy();
        open.delete(socket);
      }
    };
    for (const socket of pair) {
      open.add(socket);
      socket.setNoDelay(true);
      socket.on('error', end);
      socket.on('close', end);
    }
    client.pipe(target).pipe(client);
    if (isSilent) for (const socket of pair) pauseSocket(socket, true);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as net.AddressInfo).port,
    /**
     * While true, new connections are accepted, but no data is forwarded. Data sent in the meantime arrives afterwards.
     */
    setSilent: (isToBe: boolean) => {
      isSilent = isToBe;
      for (const socket of open) pauseSocket(socket, isToBe);
    },
    /** While true, every new connection is reset. */
    setRefusing: (isToBe: boolean) => {
      isRefusing = isToBe;
    },
    /** Resets every connection. */
    cut: () => {
      for (const socket of open) socket.resetAndDestroy();
    },
    close: () => {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}

function pauseSocket(socket: net.Socket, isToBe: boolean): void {
  if (isToBe) socket.cork();
  else socket.uncork();
}
