import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { isKind, type NotificationKind } from '#domain/notifications/kinds.ts';
import type { Config } from '#server/platform/config.ts';

type Keys = Pick<Config, 'dataKeys'>;

// Tokens are signed rather than stored, because a link may be opened months later. A signature with any of the data
// keys is accepted.
const macsOf = ({ dataKeys }: Keys, purpose: string, text: string): [string, ...string[]] =>
  dataKeys.map((key) =>
    createHmac('sha256', Buffer.from(hkdfSync('sha256', Buffer.from(key, 'hex'), '', purpose, 32)))
      .update(text)
      .digest('hex'),
  ) as [string, ...string[]];

function isSigned(keys: Keys, purpose: string, text: string, mac: string): boolean {
  return macsOf(keys, purpose, text).some((expected) => {
    const own = Buffer.from(expected.slice(0, mac.length));
    return own.length === mac.length && timingSafeEqual(own, Buffer.from(mac));
  });
}

const unsubscribing = 'unsubscribe';
const bouncing = 'bounce';

/** The token of a link that switches off emails of one kind for one person. */
export function writeUnsubscribeToken(keys: Keys, userId: string, kind: NotificationKind): string {
  const text = `${userId}.${kind}`;
  return `${text}.${macsOf(keys, unsubscribing, text)[0].slice(0, 32)}`;
}

/** Reads a token of {@link writeUnsubscribeToken}; null if the token is invalid. */
export function readUnsubscribeToken(
  keys: Keys,
  token: string,
): { userId: string; kind: NotificationKind } | null {
  const [, userId, kind, mac] = /^([0-9a-f-]{36})\.([a-z_]+)\.([0-9a-f]{32})$/.exec(token) ?? [];
  if (!userId || !kind || !mac || !isKind(kind)) return null;
  return isSigned(keys, unsubscribing, `${userId}.${kind}`, mac) ? { userId, kind } : null;
}

/** The content of a return path: a notification's id or, for any other email, the hash of the recipient's address. */
export type ReturnPath = { notificationId: string } | { addressHash: string };

/** The same hash as `hash_address` in the database. */
export const hashAddress = (address: string) =>
  createHash('sha256').update(address.toLowerCase()).digest('hex').slice(0, 32);

/**
 * The variable envelope return path (VERP) of one email, so that a bounce identifies the email:
 * "bounces+n….…@club.example". The 47 characters after the mailbox are in lower case, because mail servers may change
 * the case. `readConfig` refuses a mailbox that leaves no room for them.
 */
export function writeReturnPath(keys: Keys, bounceAddress: string, returnPath: ReturnPath): string {
  const [mailbox, domain] = bounceAddress.split('@');
  const id =
    'notificationId' in returnPath
      ? `n${returnPath.notificationId.replaceAll('-', '')}`
      : `a${returnPath.addressHash}`;
  return `${mailbox}+${id}.${macsOf(keys, bouncing, id)[0].slice(0, 12)}@${domain}`;
}

/** Finds a return path in a text; null if the text contains none of ours. */
export function readReturnPath(keys: Keys, text: string): ReturnPath | null {
  const [, id, mac] =
    /\+([na][0-9a-f]{32})\.([0-9a-f]{12})@/i.exec(text)?.map((part) => part.toLowerCase()) ?? [];
  if (!id || !mac || !isSigned(keys, bouncing, id, mac)) return null;
  const hex = id.slice(1);
  if (id.startsWith('a')) return { addressHash: hex };
  return { notificationId: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') };
}
