import { lookup } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { LRUCache } from 'lru-cache';

/** The longest wait for a push service, in ms. */
const defaultTimeoutMs = 5_000;

/**
 * Hosts of push services that have just timed out. For half a minute, messages to them fail immediately and are tried
 * again later, so that a service that hangs delays neither emails nor messages to other services.
 */
const hanging = new LRUCache<string, true>({ max: 1_000, ttl: 30_000 });

/** Endpoints of the stand-in for push services have this origin, whose name never resolves (RFC 2606). */
const standInOrigin = 'https://push-service.invalid';

/**
 * Explains why a URL can't be the endpoint of a push service; null if the URL can be one. Anybody can claim to be a
 * browser, so the host must be a public name. Whether the name has a public address is checked when connecting.
 */
export function refuseEndpoint(endpoint: string): string | null {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : null;
  const { hostname = '' } = url ?? {};
  const isPublicName =
    hostname.includes('.') &&
    isIP(hostname.replace(/^\[|\]$/g, '')) === 0 &&
    !/\.(localhost|local|internal|home\.arpa)\.?$/.test(hostname);
  const isAllowed =
    url?.protocol === 'https:' && url.port === '' && !url.username && !url.password && isPublicName;
  return isAllowed ? null : "This isn't the address of a push service.";
}

const reservedIpv4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15'],
  ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
];
// Reserved ranges within 2000::/3, the only range that is routed publicly. Teredo and 6to4 addresses contain an IPv4
// address that anybody can choose.
const reservedIpv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const listOf = (family: 'ipv4' | 'ipv6', networks: string[]) => {
  const list = new BlockList();
  for (const network of networks) {
    const [address, bits] = network.split('/');
    list.addSubnet(address!, Number(bits), family);
  }
  return list;
};
const reserved = { ipv4: listOf('ipv4', reservedIpv4), ipv6: listOf('ipv6', reservedIpv6) };
const routedIpv6 = listOf('ipv6', ['2000::/3']);

/** Whether an IP address belongs to the public internet: not to this machine, its network or a reserved range. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !reserved.ipv4.check(address, 'ipv4');
  return isIP(address) === 6 && routedIpv6.check(address, 'ipv6') && !reserved.ipv6.check(address, 'ipv6');
}

const noPublicAddress = () =>
  Object.assign(new Error('The name has no public address.'), { code: 'NOT_PUBLIC' });

/** Resolves a name to its public addresses only. The connection uses exactly the addresses that were checked. */
const lookupPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    const [first, ...others] = error ? [] : found.filter(({ address }) => isPublicAddress(address));
    if (!first) return callback(error ?? noPublicAddress(), '', 0);
    if (options.all) return callback(null, [first, ...others]);
    callback(null, first.address, first.family);
  });
};

/** Keeps connections open for later messages, because there are few push services and many browsers. */
const agent = new https.Agent({ keepAlive: true, maxSockets: 20 });

/**
 * Posts an encrypted message to a push service and returns the HTTP status. Follows no redirects and ignores the body.
 * `standIn` is the URL of the stand-in. Rejects if the service can't be reached, has no public address or doesn't
 * respond within `timeoutMs`, and immediately if it has just timed out. The error contains no address.
 */
export function postPush(
  { endpoint, headers, body }: { endpoint: string; headers: Record<string, string>; body: Buffer },
  standIn: string | undefined,
  timeoutMs = defaultTimeoutMs,
): Promise<number> {
  const url = new URL(endpoint);
  const isStandIn = standIn !== undefined && url.origin === standInOrigin;
  const target = isStandIn ? new URL(url.pathname, standIn) : url;
  if (hanging.has(target.host)) return Promise.reject(new Error('The push service has just timed out.'));
  const signal = AbortSignal.timeout(timeoutMs);
  return new Promise((resolve, reject) => {
    const answered = (response: http.IncomingMessage) => {
      response.on('error', () => {}).resume();
      resolve(response.statusCode ?? 0);
    };
    const options = { method: 'POST', headers, signal };
    const request = isStandIn
      ? http.request(target, options, answered)
      : https.request(target, { ...options, agent, lookup: lookupPublic }, answered);
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (signal.aborted) hanging.set(target.host, true);
      reject(new Error(`The push service did not respond (${error.code ?? error.name}).`));
    });
    request.end(body);
  });
}
