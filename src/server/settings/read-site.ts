import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db/db.ts';
import type { WebAssets } from '#server/platform/http/web-assets.ts';
import { memoizeWithTtl } from '#server/platform/ssr/memoize-with-ttl.ts';
import { readSettings } from './queries.ts';

/** The frame of every page, read at most once a second. */
export type ReadSite = () => Promise<{
  brand: string;
  contactEmail: string | null;
  publicUrl: string;
  assets: WebAssets;
  /** Instant in milliseconds at which it was read. */
  now: number;
  stats: { figure: string; label: string }[];
}>;

/** Creates the reader of what every page shows: the brand, the operator's figures, the built files. */
export function createReadSite({
  config,
  readDb,
  assets,
}: {
  config: Config;
  readDb: Database;
  assets: WebAssets;
}): ReadSite {
  const settings = memoizeWithTtl(1_000, () => readSettings(readDb));
  return async () => {
    const { brand, contact, landingStats } = await settings();
    return {
      brand: brand.name,
      contactEmail: contact.email || null,
      publicUrl: config.publicUrl,
      assets,
      now: Date.now(),
      stats: landingStats.isShown ? landingStats.stats : [],
    };
  };
}
