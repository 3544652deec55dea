import { BlockList, isIP } from 'node:net';

/** The proxies that may state a client's address: the last `hops` proxies, or all proxies in these networks. */
export type TrustedProxies = { hops: number } | { networks: BlockList };

const wrong =
  'must be a number of proxies from 0 to 9, or their networks separated by commas, such as 10.0.0.0/8,::1';

/** Parses `TRUST_PROXY`: "0", "2", "10.0.0.0/8,192.0.2.1". Throws an error whose message states the valid forms. */
export function readTrustedProxies(text: string): TrustedProxies {
  const given = text.trim().toLowerCase();
  if (['', 'false'].includes(given)) return { hops: 0 };
  if (given === 'true') return { hops: 1 };
  if (/^\d$/.test(given)) return { hops: Number(given) };
  const networks = new BlockList();
  for (const entry of given.split(',')) {
    const [address = '', prefix, ...rest] = entry.trim().split('/');
    const version = isIP(address);
    const longest = version === 4 ? 32 : 128;
    const bits = prefix === undefined ? longest : /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1;
    if (version === 0 || bits < 0 || bits > longest || rest.length > 0) throw new Error(wrong);
    networks.addSubnet(address, bits, version === 4 ? 'ipv4' : 'ipv6');
  }
  return { networks };
}

/**
 * The bare IP address in an `x-forwarded-for` entry or from a socket: without port, brackets and quotes, and
 * IPv4-mapped IPv6 as IPv4. Null for anything else, such as "unknown".
 */
export function readAddress(entry: string): string | null {
  const bare = entry.trim().replace(/^"(.*)"$/, '$1');
  const address =
    /^\[(.+)\](?::\d+)?$/.exec(bare)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(bare)?.[1] ?? bare;
  const plain = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
  return isIP(plain) ? plain : null;
}

/**
 * The client address of a request, as far as it can be trusted. Each proxy appends the address that called it, so the
 * list is read from the end, starting with the socket's own address. Anything before the first address that is not a
 * trusted proxy may be forged.
 */
export function findClientAddress(
  trusted: TrustedProxies,
  socketAddress: string | undefined,
  forwarded: string | undefined,
): string {
  const nearest = socketAddress ?? '';
  const own = readAddress(nearest) ?? (nearest || 'unknown');
  const isOff = 'hops' in trusted && trusted.hops === 0;
  if (isOff || !forwarded) return own;
  const listed = forwarded.split(',').map(readAddress).reverse();
  // A shorter list means that the request bypassed the expected proxies.
  if ('hops' in trusted) return listed[trusted.hops - 1] ?? own;
  let client = own;
  for (const next of listed) {
    const isTrusted =
      isIP(client) !== 0 && trusted.networks.check(client, isIP(client) === 4 ? 'ipv4' : 'ipv6');
    if (!isTrusted || next === null) return client;
    client = next;
  }
  return client;
}
