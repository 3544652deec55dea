import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { maxCacheSeconds } from '#domain/storage/buckets.ts';
import type { Config } from '#server/platform/config.ts';

/** Makes and checks signed addresses. A signed address needs no session, so that an image element can load it. */
export type AddressSigner = ReturnType<typeof createAddressSigner>;

const nowSeconds = () => Math.floor(Date.now() / 1000);

/**
 * A token contains its expiry and a signature of the expiry and the object's name. The first data key signs and every
 * key verifies, so that key rotation doesn't break addresses on open pages.
 */
export function createAddressSigner({ dataKeys }: Pick<Config, 'dataKeys'>) {
  const keys = dataKeys.map((key) =>
    Buffer.from(hkdfSync('sha256', Buffer.from(key, 'hex'), '', 'signed storage addresses', 32)),
  );
  const macOf = (key: Buffer, name: string, expires: string) =>
    createHmac('sha256', key).update(`${expires}\n${name}`).digest();

  const signUntil = (name: string, expiresAt: number): string => {
    const expires = expiresAt.toString(36);
    return `${expires}.${macOf(keys[0]!, name, expires).toString('base64url')}`;
  };
  const addressOf = (name: string, token: string) => `/object/sign/${name}?token=${token}`;

  return {
    /** The address of `{bucket}/{path}`, relative to /storage/v1. It works for this many seconds. */
    sign: (name: string, seconds: number): string => addressOf(name, signUntil(name, nowSeconds() + seconds)),
    /**
     * The address of a picture for the few people who may see it although visitors may not. The address works for one
     * to two hours, because pages load pictures late, and changes once an hour, so that browsers can cache the picture
     * in the meantime. Browsers don't cache pictures from a private bucket.
     */
    signPicture(name: string, version: string): string {
      const expiresAt = (Math.floor(nowSeconds() / maxCacheSeconds) + 2) * maxCacheSeconds;
      return `/storage/v1${addressOf(name, signUntil(name, expiresAt))}&v=${version}`;
    },
    /** Like {@link signPicture}, for the public URL of an avatar as stored in `profiles`. */
    signAvatar(url: string | null): string | null {
      const [, name, version] = /^\/storage\/v1\/object\/public\/([^?]+)\?v=(.+)$/.exec(url ?? '') ?? [];
      return name && version ? this.signPicture(name, version) : null;
    },
    /** The seconds for which the token still opens `{bucket}/{path}`; null if it does not. */
    verify(name: string, token: string): number | null {
      const [expires = '', mac = ''] = token.split('.');
      if (!/^[0-9a-z]{1,8}$/.test(expires)) return null;
      const given = Buffer.from(mac, 'base64url');
      const isGenuine = keys.some((key) => {
        const expected = macOf(key, name, expires);
        return given.length === expected.length && timingSafeEqual(given, expected);
      });
      const left = Number.parseInt(expires, 36) - nowSeconds();
      return isGenuine && left > 0 ? left : null;
    },
  };
}
