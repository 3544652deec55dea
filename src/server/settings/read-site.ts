import type { Settings } from '#domain/settings/contract.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db/db.ts';
import type { WebAssets } from '#server/platform/http/web-assets.ts';
import { memoizeWithTtl } from '#server/platform/ssr/memoize-with-ttl.ts';
import { type Product, productOf, readSettings } from './queries.ts';

/** Returns the data that every page shows; reads it from the database at most once a second. */
export type ReadSite = () => Promise<
  Product & {
    /** All settings, for pages that need others than those above. */
    settings: Settings;
    publicUrl: string;
    assets: WebAssets;
    /** The time of the call, in milliseconds since 1970. */
    now: number;
  }
>;

/** Creates the function that reads the data of every page: the settings and the built files. */
export function createReadSite({
  config,
  readDb,
  assets,
}: {
  config: Config;
  readDb: Database;
  assets: WebAssets;
}): ReadSite {
  const product = memoizeWithTtl(1_000, async () => {
    const settings = await readSettings(readDb);
    return { ...productOf(settings), settings };
  });
  return async () => ({ ...(await product()), publicUrl: config.publicUrl, assets, now: Date.now() });
}
