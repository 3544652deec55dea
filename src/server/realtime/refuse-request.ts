import type { IncomingMessage } from 'node:http';
import type { Refusal } from '#domain/errors.ts';

const path = '/realtime/v1/websocket';

/**
 * Refuses an upgrade request that is not for live updates, has another protocol version or comes from a page of another
 * site. Null if the request may continue.
 */
export function refuseRequest({ url = '/', headers }: IncomingMessage, publicUrl: string): Refusal {
  const { upgrade, origin, host } = headers;
  const asked = URL.canParse(url, 'http://localhost') ? new URL(url, 'http://localhost') : null;
  if (asked?.pathname !== path || upgrade?.toLowerCase() !== 'websocket') {
    return { code: 'not_found', message: "There's nothing at this URL." };
  }
  if (asked.searchParams.get('vsn') !== '2.0.0') {
    return { code: 'bad_request', message: 'Only version 2.0.0 of the protocol is supported.' };
  }
  if (!isOwnOrigin(origin, host, publicUrl)) {
    return { code: 'forbidden', message: 'Live updates are for the pages of this site.' };
  }
  return null;
}

/** Browsers send the Origin of their page, which must be this site's. Other clients usually send none. */
function isOwnOrigin(origin: string | undefined, host: string | undefined, publicUrl: string): boolean {
  if (!origin || origin === new URL(publicUrl).origin) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}

/**
 * Loopback addresses are exempt from limits per IP address, because all visitors share one if a local proxy does not
 * forward their addresses.
 */
export const isLoopback = (address: string) => /^(127\.|::1$|::ffff:127\.)/.test(address);
