import { BlockList, isIP } from 'node:net';

/** Whose word about a client's address is believed: so many proxies in front of us, or those in these networks. */
export type TrustedProxies = { hops: number } | { networks: BlockList };

const wrong =
  'must be a number of proxies from 0 to 9, or their networks with commas, such as 10.0.0.0/8,::1';

/** Reads `TRUST_PROXY`: "0", "2", "10.0.0.0/8,192.0.2.1". Throws an error with a sentence on what it must be. */
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
 * A bare IP address of what stands in `x-forwarded-for` or comes from a socket: without port, brackets and quotes, an
 * IPv4 address in IPv6 as IPv4. Null for what is none, such as "unknown".
 */
export function readAddress(entry: string): string | null {
  const bare = entry.trim().replace(/^"(.*)"$/, '$1');
  const address =
    /^\[(.+)\](?::\d+)?$/.exec(bare)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(bare)?.[1] ?? bare;
  const plain = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
  return isIP(plain) ? plain : null;
}

/**
 * The address that a request comes from, as far as it can be believed. Each proxy appends the address that it was
 * called from, so the list is read from its end, beginning with the socket's own address. What stands before an
 * address that is not a trusted proxy may have been made up.
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
  // A shorter list means that the request went round the proxies that were to be in front.
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
